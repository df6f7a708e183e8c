"""One request with the guarded client: what is sent, what comes back, what failures say."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from agent_tools.contract.errors import ToolError
from agent_tools.guards.client import GuardedClient
from agent_tools.guards.network_errors import BadResponseError, HeaderNotAllowedError
from agent_tools.guards.policy import NetworkPolicy
from agent_tools.guards.response import BodyFlaw, Headers, Request
from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import compressed, echo, page, raw, reset, too_short


@pytest.fixture
def client() -> GuardedClient:
    """A client that may reach loopback and nothing else that is closed."""
    return GuardedClient(NetworkPolicy(allowed_networks=("127.0.0.0/8",)), user_agent="tests/1 (+https://t.example)")


async def _echoed(client: GuardedClient, request: Request) -> dict[str, Any]:
    answered: dict[str, Any] = json.loads((await client.send(request)).content)
    return answered


async def test_a_response_has_all_that_was_answered(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/a", page("hällo", status=404, reason="Nothing here", fields=[("X-Two", "1"), ("x-two", "2")]))
    response = await client.send(Request(web.url("/a?b=1#c")))
    assert (response.status, response.reason_phrase) == (404, "Nothing here")
    assert response.url == web.url("/a?b=1")
    assert response.content == "hällo".encode()
    assert response.wire_size == 6
    assert response.content_type == "text/html; charset=utf-8"
    assert response.headers.get("X-Two") == "1, 2"
    assert response.headers.get_all("x-two") == ("1", "2")
    assert (response.truncated, response.note, response.hops) == (False, None, ())
    assert 0 <= response.elapsed_ms < 10_000


async def test_a_request_carries_what_it_should_and_nothing_of_a_library(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/e", echo())
    sent = await _echoed(client, Request(web.url("/e"), headers=(("X-Mine", "1"),)))
    assert sent["fields"] == [
        ["Host", f"127.0.0.1:{web.port}"],
        ["Accept-Encoding", "gzip, deflate"],
        ["Connection", "close"],
        ["X-Mine", "1"],
        ["User-Agent", "tests/1 (+https://t.example)"],
        ["Accept", "*/*"],
    ]


async def test_fields_of_the_request_replace_the_client_s_own(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/e", echo())
    sent = await _echoed(client, Request(web.url("/e"), headers=(("user-agent", "me"), ("ACCEPT", "text/plain"))))
    assert ["user-agent", "me"] in sent["fields"]
    assert [name for name, _ in sent["fields"]].count("User-Agent") == 0
    assert ["ACCEPT", "text/plain"] in sent["fields"]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
async def test_any_method_sends_its_body(web: FakeWeb, client: GuardedClient, method: str) -> None:
    web.on("/e", echo())
    sent = await _echoed(client, Request(web.url("/e"), method, (("Content-Type", "text/plain"),), b"\x00body"))
    assert (sent["method"], sent["body"]) == (method, "\x00body")
    assert ["Content-Length", "5"] in sent["fields"]


@pytest.mark.parametrize("method", ["CONNECT", "TRACE", "TRACK", "get", "GET /", "", "G\r\nX"])
async def test_methods_that_are_none_are_refused(web: FakeWeb, client: GuardedClient, method: str) -> None:
    with pytest.raises(ToolError) as caught:
        await client.send(Request(web.url("/"), method))
    assert caught.value.reason == "method_not_allowed"
    assert web.connections == 0


async def test_forbidden_fields_are_refused_whoever_sets_them(web: FakeWeb, client: GuardedClient) -> None:
    with pytest.raises(HeaderNotAllowedError):
        await client.send(Request(web.url("/"), headers=(("Host", "internal"),)))
    assert web.connections == 0


@pytest.mark.parametrize("target", ["/100%?a%zz=%", "/a%2Fb/%7e?q=%C3%A4", "/?q=[1]|2", "//double//slash", "/?"])
async def test_the_target_goes_on_the_wire_as_it_was_read(web: FakeWeb, client: GuardedClient, target: str) -> None:
    web.on("*", page())
    await client.send(Request(web.url(target)))
    assert web.requests[0].target == target


@pytest.mark.parametrize("coding", ["gzip", "deflate", "raw-deflate"])
async def test_compressed_bodies_are_given_decoded(web: FakeWeb, client: GuardedClient, coding: str) -> None:
    web.on("/c", compressed(b"text " * 1_000, coding))
    response = await client.send(Request(web.url("/c")))
    assert response.content == b"text " * 1_000
    assert 0 < response.wire_size < 200


@pytest.mark.parametrize("status", [204, 304])
async def test_statuses_without_a_body_have_none(web: FakeWeb, client: GuardedClient, status: int) -> None:
    web.on("/n", page(status=status, fields=[("Content-Encoding", "gzip")]))
    response = await client.send(Request(web.url("/n")))
    assert (response.status, response.content, response.note) == (status, b"", None)


async def test_an_answer_to_head_has_fields_and_no_body(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/h", page("not sent", fields=[("Content-Encoding", "gzip")]))
    response = await client.send(Request(web.url("/h"), "HEAD"))
    assert response.headers.get("content-length") == "8"
    assert (response.content, response.note) == (b"", None)


async def test_a_coding_that_was_not_asked_for_gives_a_note_and_no_body(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/b", page(b"\x8b\x02\x80", fields=[("Content-Encoding", "gzip"), ("Content-Encoding", "br")]))
    response = await client.send(Request(web.url("/b")))
    assert response.content == b""
    assert response.note is not None
    assert response.note.flaw is BodyFlaw.UNSUPPORTED_CODING


@pytest.mark.parametrize(
    "script",
    [
        too_short(b"half", 100),
        reset(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"),
        raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nnonsense\r\n"),
        raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"),
    ],
    ids=["short", "reset", "broken chunk", "no last chunk"],
)
async def test_a_body_that_ends_early_is_given_with_a_note(web: FakeWeb, client: GuardedClient, script: Any) -> None:
    web.on("/s", script)
    response = await client.send(Request(web.url("/s")))
    assert response.content == b"half"
    assert response.note is not None
    assert response.note.flaw is BodyFlaw.INCOMPLETE


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"not HTTP at all\r\n\r\n",
        b"HTTP/1.1 99 Low\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX\x00: 1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n no colon\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        b"\x16\x03\x01\x00\x05hello",
    ],
)
async def test_what_is_no_http_is_a_bad_response(web: FakeWeb, client: GuardedClient, answer: bytes) -> None:
    web.on("/x", raw(answer))
    with pytest.raises(BadResponseError) as caught:
        await client.send(Request(web.url("/x")))
    assert caught.value.reason == "bad_response"
    assert caught.value.message.isprintable()


async def test_a_port_where_nobody_listens_is_a_refused_connection(web: FakeWeb, client: GuardedClient) -> None:
    async with FakeWeb() as gone:
        url = gone.url("/")
    with pytest.raises(ToolError, match=r"127\.0\.0\.1 at port \d+ was refused") as caught:
        await client.send(Request(url))
    assert caught.value.reason == "connection_refused"


async def test_response_fields_of_any_octets_are_texts(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/f", raw(b"HTTP/1.1 200 \xe9t\xe9\r\nX-U: \xc3\xa4\r\nX-L: \xe4\r\nContent-Length: 0\r\n\r\n"))
    response = await client.send(Request(web.url("/f")))
    assert (response.headers.get("x-u"), response.headers.get("x-l"), response.reason_phrase) == ("ä", "ä", "été")
    assert "ä" not in repr(response.headers)


async def test_many_requests_at_once_do_not_get_in_each_other_s_way(web: FakeWeb, client: GuardedClient) -> None:
    for number in range(20):
        web.on(f"/{number}", page(str(number)))
    responses = await asyncio.gather(*(client.send(Request(web.url(f"/{number}"))) for number in range(20)))
    assert [int(response.content) for response in responses] == list(range(20))


def test_a_client_serves_one_event_loop_after_another() -> None:
    client = GuardedClient(NetworkPolicy(allowed_networks=("127.0.0.1",)))
    with FakeWeb().in_thread() as web:
        web.on("/", page("served"))
        for _ in range(3):
            assert asyncio.run(client.send(Request(web.url("/")))).content == b"served"


def test_headers_compare_by_value_and_know_their_names_in_any_case() -> None:
    headers = Headers([("A", "1"), ("b", "2")])
    assert headers == Headers([("a", "1"), ("B", "2")])
    assert hash(headers) == hash(Headers([("a", "1"), ("B", "2")]))
    assert "B" in headers
    assert (len(headers), list(headers)) == (2, [("a", "1"), ("b", "2")])
    assert headers.get("c", "none") == "none"

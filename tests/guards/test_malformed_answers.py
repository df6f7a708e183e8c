"""Answers that are hardly HTTP: one sentence that says what is wrong, nothing of what was sent, never a crash."""

from __future__ import annotations

import pytest

from agent_tools.guards.client import GuardedClient
from agent_tools.guards.network_errors import BadResponseError
from agent_tools.guards.policy import NetworkPolicy
from agent_tools.guards.response import MAX_REASON, MAX_TYPE, BodyFlaw, Request, Response
from tests.fakes.internet import pretend_network
from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import raw

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"


async def fetched(web: FakeWeb, data: bytes) -> Response:
    web.on("/", raw(data))
    return await GuardedClient(NetworkPolicy(), pretend_network(web)).send(Request("http://example.com/", timeout=5))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "without an answer"),
        (b"SSH-2.0-OpenSSH_9.2 hunter2\r\n", "without an answer"),
        (b"<html>hunter2</html>\r\n\r\n", "status line"),
        (b"ICY 200 hunter2\r\n\r\n", "status line"),
        (b"HTTP/1.1 abc hunter2\r\n\r\n", "status line"),
        (b"HTTP/1.1 1000 OK\r\n\r\n", "status line"),
        (b"HTTP/1.1 000 OK\r\n\r\n", "status"),
        (b"\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "status line"),
        (b"\x15\x03\x01\x00\x02\x02\x28", "status line"),
        (OK + b"hunter2\r\n\r\n", "header"),
        (OK + b"X-Key : hunter2\r\n\r\n", "header"),
        (OK + b"X: hunter2\0\r\n\r\n", "header"),
        (OK + b"X: " + b"a" * 150_000 + b"\r\n\r\n", "too long"),
        (OK + b"A: b\r\n" * 30_000 + b"\r\n", "too long"),
        (OK + b"Content-Length: -5\r\n\r\nhi", "Content-Length"),
        (OK + b"Content-Length: 0x2\r\n\r\nhi", "Content-Length"),
        (OK + b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\nhi", "Content-Length"),
        (OK + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi", "lengths"),
        (OK + b"Content-Length: 9\r\n\r\n", "before the body began"),
        (OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n", "Transfer-Encoding"),
        (CHUNKED + b"hunter2\r\n", "chunk"),
        (CHUNKED + b"-2\r\nhi\r\n", "chunk"),
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", "protocol"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{len(value)} octets",
)
async def test_what_is_wrong_is_said_in_plain_words(web: FakeWeb, data: bytes, said: str) -> None:
    with pytest.raises(BadResponseError) as caught:
        await fetched(web, data)
    message = caught.value.message
    assert said in message
    assert message.startswith("The answer of example.com is not valid HTTP: ")
    assert not [word for word in ("hunter2", "bytearray", "event", "_") if word in message]


@pytest.mark.parametrize(
    "data",
    [
        CHUNKED + b"2\r\nhi\r\nzz\r\nmore\r\n",
        CHUNKED + b"2\r\nhi",
        CHUNKED + b"2\r\nhiyo\r\n0\r\n\r\n",
        OK + b"Content-Length: 20\r\n\r\nhi",
    ],
)
async def test_a_body_that_breaks_off_is_given_as_far_as_it_came(web: FakeWeb, data: bytes) -> None:
    response = await fetched(web, data)
    assert response.content == b"hi"
    assert response.note is not None
    assert response.note.flaw is BodyFlaw.INCOMPLETE


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.0 200 OK\r\n\r\nhi",
        b"HTTP/1.1 200\nContent-Length: 2\n\nhi",
        OK + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\nhi",
        OK + b"Content-Length: 2\r\n\r\nhiHTTP/1.1 200 OK\r\n\r\nanother answer",
        OK + b"Content-Length: 200\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhi\r\n0\r\nX-Trailer: 1\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 100 + OK + b"Content-Length: 2\r\n\r\nhi",
        OK + b"X: " + b"a" * 90_000 + b"\r\nContent-Length: 2\r\n\r\nhi",
        OK + b"A: b\r\n" * 10_000 + b"Content-Length: 2\r\n\r\nhi",
    ],
    ids=lambda value: f"{len(value)} octets",
)
async def test_what_can_be_understood_is(web: FakeWeb, data: bytes) -> None:
    response = await fetched(web, data)
    assert (response.status, response.content, response.note) == (200, b"hi", None)


async def test_what_a_server_writes_into_its_head_has_bounds(web: FakeWeb) -> None:
    long = b"x" * 40_000
    response = await fetched(web, b"HTTP/1.1 404 %b\r\nContent-Type: image/%b\r\n\r\nhi" % (long, long))
    assert len(response.reason_phrase) == MAX_REASON
    assert len(response.content_type) == MAX_TYPE

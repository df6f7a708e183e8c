"""The scripted web itself, as other tests rely on it."""

from __future__ import annotations

import http.client
import json
import ssl
import threading
import urllib.request
from collections.abc import Iterator

import pytest

from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import echo, in_turn, json_page, page
from tests.fakes.web_wire import Received, Wire


@pytest.fixture
def threaded() -> Iterator[FakeWeb]:
    with FakeWeb().in_thread() as web:
        yield web


def _get(url: str, context: ssl.SSLContext | None = None) -> bytes:
    with urllib.request.urlopen(url, timeout=10, context=context) as response:  # noqa: S310 - the web's own URL
        content: bytes = response.read()
    return content


def test_a_web_in_a_thread_answers_synchronous_clients_and_records_them(threaded: FakeWeb) -> None:
    threaded.on("/a", page("one"))
    threaded.on("/e", echo())
    assert _get(threaded.url("/a?q=1&q=2")) == b"one"
    assert json.loads(_get(threaded.url("/e")))["method"] == "GET"
    assert threaded.paths == ["/a", "/e"]
    assert threaded.requests[0].query == {"q": ["1", "2"]}
    assert threaded.connections == 2


def test_https_proves_its_names(threaded: FakeWeb) -> None:
    threaded.on("/", page("secure"))
    assert _get(threaded.url("/", secure=True), threaded.authority.client_context()) == b"secure"
    assert threaded.requests[0].secure
    assert threaded.handshakes == 1


def test_routes_may_depend_on_the_host_and_change_in_turn(threaded: FakeWeb) -> None:
    threaded.on("*", page("any"))
    threaded.on("*", page("named"), host="localhost")
    threaded.on("/turn", in_turn(page("1"), json_page([2])))
    assert _get(threaded.url("/x")) == b"any"
    assert _get(threaded.url("/x", host="localhost")) == b"named"
    assert [_get(threaded.url("/turn")) for _ in range(3)] == [b"1", b"[2]", b"[2]"]


def test_a_connection_is_kept_and_bodies_are_read_in_both_framings(threaded: FakeWeb) -> None:
    threaded.on("/", echo())
    connection = http.client.HTTPConnection("127.0.0.1", threaded.port, timeout=10)
    try:
        for body, chunked in ((b"plain", False), (iter([b"chun", b"ked"]), True)):
            connection.request("POST", "/", body, encode_chunked=chunked)
            connection.getresponse().read()
    finally:
        connection.close()
    assert [received.body for received in threaded.requests] == [b"plain", b"chunked"]
    assert threaded.connections == 1


def test_a_path_without_a_route_is_not_found(threaded: FakeWeb) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", threaded.port, timeout=10)
    try:
        connection.request("GET", "/nothing")
        assert connection.getresponse().status == 404
    finally:
        connection.close()


def test_a_web_ends_though_a_client_still_waits() -> None:
    arrived = threading.Event()

    async def silent(received: Received, wire: Wire) -> None:
        arrived.set()
        await wire.client_left()

    with FakeWeb().in_thread() as web:
        web.on("/", silent)
        connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=10)
        connection.request("GET", "/")
        assert arrived.wait(10)
    try:
        with pytest.raises((http.client.HTTPException, ConnectionError)):
            connection.getresponse()
    finally:
        connection.close()

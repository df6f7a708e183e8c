"""One deadline over everything, and sizes that hold whatever a server does."""

from __future__ import annotations

import asyncio
import tracemalloc

import pytest

from agent_tools.guards.client import GuardedClient
from agent_tools.guards.network_errors import BadResponseError, DeadlineError
from agent_tools.guards.policy import NetworkPolicy
from agent_tools.guards.response import Request, Response
from tests.fakes.internet import LoopbackDialer, ScriptedResolver, pretend_network
from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import (
    body_drip,
    bomb,
    drip,
    endless_chunks,
    endless_head,
    endless_interim,
    head,
    page,
    raw,
    redirect,
    silence,
)
from tests.fakes.web_wire import Received, Script, Wire

PATIENCE = 20  # seconds that no request here may come near


@pytest.fixture
def client() -> GuardedClient:
    return GuardedClient(NetworkPolicy(allowed_networks=("127.0.0.1",)))


async def _times_out(client: GuardedClient, url: str, seconds: float = 0.4) -> DeadlineError:
    started = asyncio.get_running_loop().time()
    with pytest.raises(DeadlineError) as caught:
        await asyncio.wait_for(client.send(Request(url, timeout=seconds)), PATIENCE)
    assert asyncio.get_running_loop().time() - started < seconds + 5
    assert caught.value.reason == "timeout"
    return caught.value


@pytest.mark.parametrize(
    "script",
    [silence(), drip(b"HTTP/1.1 200 OK\r\nX-Slow: " + b"a" * 5_000), endless_interim(), drip(b"HTTP")],
    ids=["silence", "head drip", "endless interim responses", "a start"],
)
async def test_a_head_that_never_ends_runs_into_the_deadline(
    web: FakeWeb, client: GuardedClient, script: Script
) -> None:
    web.on("/", script)
    error = await _times_out(client, web.url("/"))
    assert error.message == "127.0.0.1 did not answer within 0.4 s."
    assert error.partial is None


async def test_a_body_drip_runs_into_the_deadline_and_what_came_is_kept(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/", body_drip(b"start"))
    error = await _times_out(client, web.url("/"))
    assert error.partial is not None
    assert error.partial.content.startswith(b"start.")
    assert error.partial.truncated
    assert error.partial.status == 200
    assert error.details["received_bytes"] == len(error.partial.content)


async def test_a_body_that_never_begins_leaves_nothing_to_keep(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/", drip(head(200, [("Content-Length", "5")]), pause=0))
    assert (await _times_out(client, web.url("/"))).partial is None


async def test_the_deadline_spans_all_hops(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/a", redirect("/b"))
    web.on("/b", redirect("/c"))
    web.on("/c", silence())
    error = await _times_out(client, web.url("/a"))
    assert error.message.endswith(f"(at redirect 2, to {web.url('/c')}).")


async def test_the_deadline_spans_the_look_up(web: FakeWeb) -> None:
    resolver = ScriptedResolver({}, silent=["slow.example"])
    client = GuardedClient(NetworkPolicy(), pretend_network(web, resolver=resolver))
    await _times_out(client, "http://slow.example/")
    assert web.connections == 0


async def test_the_deadline_spans_the_connection(web: FakeWeb) -> None:
    dialer = LoopbackDialer(web)
    dialer.black_holes = {"93.184.216.34"}
    client = GuardedClient(NetworkPolicy(), pretend_network(web, dialer=dialer))
    await _times_out(client, "http://example.com/")


async def test_a_request_body_that_nobody_reads_runs_into_the_deadline(client: GuardedClient) -> None:
    async def idle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        try:
            await asyncio.sleep(PATIENCE)
        finally:
            writer.close()

    server = await asyncio.start_server(idle, "127.0.0.1", 0, limit=1_024)
    async with server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        request = Request(url, "POST", body=bytes(50_000_000), timeout=0.4)
        with pytest.raises(DeadlineError):
            await asyncio.wait_for(client.send(request), PATIENCE)


async def test_a_stop_from_outside_is_not_taken_for_the_deadline(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/", silence())
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(client.send(Request(web.url("/"), timeout=PATIENCE)), 0.2)
    await asyncio.wait_for(web.requests[0].finished.wait(), PATIENCE)


async def test_a_request_that_is_cancelled_frees_its_connection(web: FakeWeb, client: GuardedClient) -> None:
    started = asyncio.Event()

    async def sink(piece: bytes, so_far: Response) -> bool:
        started.set()
        return True

    web.on("/", body_drip(b"start"))
    task = asyncio.create_task(client.send(Request(web.url("/"), timeout=PATIENCE), sink))
    async with asyncio.timeout(PATIENCE):
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await web.requests[0].finished.wait()


@pytest.mark.parametrize("script", [endless_head(), endless_interim(pause=0)], ids=["fields", "interim responses"])
async def test_a_flood_of_heads_is_a_bad_response(web: FakeWeb, client: GuardedClient, script: Script) -> None:
    web.on("/", script)
    with pytest.raises(BadResponseError):
        await asyncio.wait_for(client.send(Request(web.url("/"), timeout=PATIENCE)), PATIENCE)


@pytest.mark.parametrize("size", [99, 100, 101, 102_400])
async def test_a_body_is_cut_at_the_limit_and_not_before(web: FakeWeb, client: GuardedClient, size: int) -> None:
    web.on("/", page(b"x" * size))
    response = await client.send(Request(web.url("/"), max_bytes=100))
    assert len(response.content) == min(size, 100)
    assert response.truncated is (size > 100)


async def test_a_body_of_exactly_the_limit_without_a_length_is_whole(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/eof", raw(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100))
    web.on("/more", raw(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 101))
    assert not (await client.send(Request(web.url("/eof"), max_bytes=100))).truncated
    assert (await client.send(Request(web.url("/more"), max_bytes=100))).truncated


@pytest.mark.parametrize(
    "script",
    [endless_chunks(), endless_chunks(b"x"), endless_chunks(bytes(4_096), [("Content-Encoding", "gzip")])],
    ids=["chunks", "tiny chunks", "no gzip"],
)
async def test_an_endless_body_is_left_at_the_limit(web: FakeWeb, client: GuardedClient, script: Script) -> None:
    web.on("/", script)
    response = await asyncio.wait_for(client.send(Request(web.url("/"), timeout=PATIENCE)), PATIENCE)
    assert response.truncated or response.note
    assert len(response.content) <= 102_400
    await asyncio.wait_for(web.requests[0].finished.wait(), PATIENCE)
    assert web.requests[0].bytes_sent < 20_000_000


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
async def test_memory_is_bounded_while_a_bomb_inflates(web: FakeWeb, client: GuardedClient, coding: str) -> None:
    web.on("/", bomb(64 * 1024 * 1024, coding))
    await client.send(Request(web.url("/"), max_bytes=10))
    tracemalloc.start()
    try:
        response = await client.send(Request(web.url("/")))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert response.truncated
    assert response.content == bytes(102_400)
    assert peak < 2_000_000


async def test_others_get_their_turn_while_a_large_body_inflates(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/", bomb(32 * 1024 * 1024))
    turns = 0

    async def watch() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    watcher = asyncio.create_task(watch())
    response = await client.send(Request(web.url("/"), max_bytes=100_000_000, timeout=PATIENCE))
    watcher.cancel()
    assert len(response.content) == 32 * 1024 * 1024
    assert turns > 500


async def test_a_download_goes_to_its_sink_piece_by_piece(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/", page(b"0123456789" * 100_000, content_type="application/pdf"))
    pieces: list[bytes] = []

    async def sink(piece: bytes, so_far: Response) -> bool:
        assert so_far.content_type == "application/pdf"
        pieces.append(piece)
        return True

    response = await client.send(Request(web.url("/"), max_bytes=999_999), sink)
    assert response.content == b""
    assert response.truncated
    assert b"".join(pieces) == (b"0123456789" * 100_000)[:-1]
    assert len(pieces) > 3


async def test_a_sink_that_has_enough_ends_the_body(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/", endless_chunks())
    pieces: list[bytes] = []

    async def sink(piece: bytes, so_far: Response) -> bool:
        pieces.append(piece)
        return False

    response = await client.send(Request(web.url("/"), timeout=PATIENCE), sink)
    assert len(pieces) == 1
    assert (response.truncated, response.content) == (True, b"")
    await asyncio.wait_for(web.requests[0].finished.wait(), PATIENCE)


async def test_a_sink_that_fails_ends_the_request_with_its_own_error(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/", endless_chunks())

    async def sink(piece: bytes, so_far: Response) -> bool:
        raise TimeoutError("the disk is slow")

    with pytest.raises(TimeoutError, match="the disk is slow"):
        await client.send(Request(web.url("/"), timeout=PATIENCE), sink)
    await asyncio.wait_for(web.requests[0].finished.wait(), PATIENCE)


async def test_a_head_that_comes_in_two_parts_is_no_trouble(web: FakeWeb, client: GuardedClient) -> None:
    async def halved(received: Received, wire: Wire) -> None:
        await wire.send(head(103, [("Link", "</a>")], "Early Hints") + b"HTTP/1.1 200 OK\r\nContent-")
        await asyncio.sleep(0)
        await wire.send(b"Length: 2\r\n\r\nok")

    web.on("/", halved)
    assert (await client.send(Request(web.url("/")))).content == b"ok"

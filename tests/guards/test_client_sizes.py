"""Sizes that hold whatever a server sends, and downloads that go to a sink."""

from __future__ import annotations

import asyncio
import tracemalloc

import pytest

from agent_tools.guards.client import GuardedClient
from agent_tools.guards.policy import NetworkPolicy
from agent_tools.guards.response import Request, Response
from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import bomb, endless_chunks, page, raw
from tests.fakes.web_wire import Script

PATIENCE = 20  # seconds that no request here may come near


@pytest.fixture
def client() -> GuardedClient:
    return GuardedClient(NetworkPolicy(allowed_networks=("127.0.0.1",)))


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

"""One deadline over everything, and floods of heads that end."""

from __future__ import annotations

import asyncio

import pytest

from agent_tools.guards.client import GuardedClient
from agent_tools.guards.network_errors import BadResponseError, DeadlineError
from agent_tools.guards.policy import NetworkPolicy
from agent_tools.guards.response import Request, Response
from tests.fakes.internet import LoopbackDialer, ScriptedResolver, pretend_network
from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import (
    body_drip,
    drip,
    endless_head,
    endless_interim,
    head,
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


async def test_a_head_that_comes_in_two_parts_is_no_trouble(web: FakeWeb, client: GuardedClient) -> None:
    async def halved(received: Received, wire: Wire) -> None:
        await wire.send(head(103, [("Link", "</a>")], "Early Hints") + b"HTTP/1.1 200 OK\r\nContent-")
        await asyncio.sleep(0)
        await wire.send(b"Length: 2\r\n\r\nok")

    web.on("/", halved)
    assert (await client.send(Request(web.url("/")))).content == b"ok"

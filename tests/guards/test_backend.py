"""Where the guard really connects to."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import httpcore
import pytest

from agent_tools.contract.errors import ToolError
from agent_tools.guards.backend import GuardedBackend
from agent_tools.guards.network_errors import (
    ConnectionFailedError,
    ConnectionRefusedByPeerError,
    DeadlineError,
    NameNotFoundError,
    RefusedAddressError,
)
from agent_tools.guards.policy import NetworkPolicy
from tests.fakes.internet import LoopbackDialer, ScriptedResolver
from tests.fakes.web import FakeWeb

V4, V6, OTHER = "93.184.216.34", "2606:4700:4700::1111", "93.184.216.35"


def _backend(dialer: LoopbackDialer, answers: Sequence[str] = (V4,)) -> GuardedBackend:
    return GuardedBackend(NetworkPolicy(), ScriptedResolver({"*": answers}), dialer)


async def _connect(backend: GuardedBackend, host: str = "example.com", seconds: float = 10) -> None:
    stream = await backend.connect_tcp(host, 80, seconds)
    await stream.aclose()


async def test_the_vetted_address_itself_is_dialled(web: FakeWeb) -> None:
    dialer = LoopbackDialer(web)
    await _connect(_backend(dialer))
    assert dialer.dialled == [(V4, 80)]


async def test_addresses_are_tried_in_order_until_one_takes_the_connection(web: FakeWeb) -> None:
    dialer = LoopbackDialer(web)
    dialer.dead = {V6}
    await _connect(_backend(dialer, [V6, V4, OTHER]))
    assert dialer.dialled == [(V6, 80), (V4, 80)]


async def test_an_address_that_never_answers_leaves_time_for_the_next(web: FakeWeb) -> None:
    dialer = LoopbackDialer(web)
    dialer.black_holes = {V6}
    await asyncio.wait_for(_connect(_backend(dialer, [V6, V4]), seconds=1), 10)
    assert dialer.dialled == [(V6, 80), (V4, 80)]


async def test_a_long_answer_is_judged_whole_and_dialled_in_part(web: FakeWeb) -> None:
    dialer = LoopbackDialer(web)
    many = [f"93.184.216.{last}" for last in range(40)]
    dialer.dead = set(many)
    with pytest.raises(ConnectionRefusedByPeerError):
        await _connect(_backend(dialer, many))
    assert len(dialer.dialled) == 8
    with pytest.raises(RefusedAddressError):
        await _connect(_backend(dialer, [*many, "127.0.0.1"]))
    assert len(dialer.dialled) == 8


@pytest.mark.parametrize(
    ("dead", "black_holes", "error", "reason"),
    [
        ({V4, V6}, set(), ConnectionRefusedByPeerError, "connection_refused"),
        ({V4}, {V6}, DeadlineError, "timeout"),
        (set(), {V4, V6}, DeadlineError, "timeout"),
    ],
)
async def test_why_no_address_took_the_connection_is_told(
    web: FakeWeb, dead: set[str], black_holes: set[str], error: type[ToolError], reason: str
) -> None:
    dialer = LoopbackDialer(web)
    dialer.dead, dialer.black_holes = dead, black_holes
    with pytest.raises(error) as caught:
        await asyncio.wait_for(_connect(_backend(dialer, [V4, V6]), seconds=0.2), 10)
    assert caught.value.reason == reason
    assert "example.com at port 80" in caught.value.message


async def test_an_unreachable_network_is_a_failed_connection() -> None:
    class Unreachable(LoopbackDialer):
        async def connect_tcp(self, *_: object, **__: object) -> httpcore.AsyncNetworkStream:
            raise httpcore.ConnectError

    with pytest.raises(ConnectionFailedError) as caught:
        await _connect(_backend(Unreachable(FakeWeb())))
    assert caught.value.reason == "connection_failed"


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1"])
async def test_a_closed_literal_is_refused_without_a_look_up(web: FakeWeb, host: str) -> None:
    dialer, resolver = LoopbackDialer(web), ScriptedResolver({"*": [V4]})
    with pytest.raises(RefusedAddressError):
        await _connect(GuardedBackend(NetworkPolicy(), resolver, dialer), host)
    assert resolver.lookups == []
    assert dialer.dialled == []


async def test_a_name_is_looked_up_once_for_a_connection_and_again_for_the_next(web: FakeWeb) -> None:
    resolver = ScriptedResolver({"rebind.example.net": [[V4], ["127.0.0.1"]]})
    dialer = LoopbackDialer(web)
    backend = GuardedBackend(NetworkPolicy(), resolver, dialer)
    await _connect(backend, "rebind.example.net")
    assert resolver.lookups == ["rebind.example.net"]
    with pytest.raises(RefusedAddressError):
        await _connect(backend, "rebind.example.net")
    assert dialer.dialled == [(V4, 80)]


async def test_a_name_without_an_address_has_no_fallback(web: FakeWeb) -> None:
    dialer = LoopbackDialer(web)
    with pytest.raises(NameNotFoundError):
        await _connect(_backend(dialer, []))
    assert dialer.dialled == []


async def test_a_connection_that_arrived_elsewhere_is_closed(web: FakeWeb) -> None:
    dialer = LoopbackDialer(web)
    dialer.astray = {V4: "127.0.0.1"}
    with pytest.raises(RefusedAddressError, match=r"arrived at 127\.0\.0\.1"):
        await _connect(_backend(dialer))
    assert web.requests == []


async def test_nothing_is_connected_on_real_sockets_when_an_address_is_closed(web: FakeWeb) -> None:
    resolver = ScriptedResolver({"*": ["127.0.0.1"]})
    backend = GuardedBackend(NetworkPolicy(), resolver, httpcore.AnyIOBackend())
    with pytest.raises(RefusedAddressError):
        await backend.connect_tcp("internal.example.com", web.port, 5)
    assert web.connections == 0


async def test_an_opened_port_is_connected_on_real_sockets(web: FakeWeb) -> None:
    policy = NetworkPolicy(allowed_networks=(f"127.0.0.0/8:{web.port}",))
    backend = GuardedBackend(policy, ScriptedResolver({"*": ["127.0.0.1"]}), httpcore.AnyIOBackend())
    stream = await backend.connect_tcp("internal.example.com", web.port, 5)
    assert stream.get_extra_info("server_addr") == ("127.0.0.1", web.port)
    await stream.aclose()
    with pytest.raises(RefusedAddressError):
        await backend.connect_tcp("internal.example.com", web.tls_port, 5)


async def test_sockets_in_the_file_system_are_refused() -> None:
    with pytest.raises(RefusedAddressError):
        await _backend(LoopbackDialer(FakeWeb())).connect_unix_socket("/var/run/docker.sock")

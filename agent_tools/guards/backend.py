"""The one place where sockets are opened: a name is looked up, judged and dialled at once, so nothing can rebind it."""

# ruff: noqa: ASYNC109 - time limits are parameters in httpcore's interface

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable, Sequence
from ipaddress import ip_address
from typing import Any

import httpcore

from agent_tools.contract.errors import ToolError
from agent_tools.guards.addresses import IPAddress, dialable, parse_address
from agent_tools.guards.network_errors import (
    BadResponseError,
    ConnectionFailedError,
    ConnectionRefusedByPeerError,
    DeadlineError,
    RefusedAddressError,
)
from agent_tools.guards.policy import NetworkPolicy
from agent_tools.guards.proxy import ProxyRefusedError
from agent_tools.guards.resolver import Resolver
from agent_tools.guards.tls import behind, tls_failure

MAX_HEAD = 262_144  # octets of all heads of a response: interim ones, and the final one
_MAX_DIALLED = 8

SocketOption = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]


class GuardedStream(httpcore.AsyncNetworkStream):
    """A connection that ends when a response's head has no end, and says plainly why TLS failed."""

    def __init__(self, inner: httpcore.AsyncNetworkStream, host: str) -> None:
        self._inner = inner
        self._host = host
        self._head_left: int | None = MAX_HEAD

    def head_received(self) -> None:
        """Take note that what follows is the body, which others bound."""
        self._head_left = None

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = await self._inner.read(max_bytes, timeout)
        if self._head_left is not None:
            self._head_left -= len(data)
            if self._head_left < 0:
                raise BadResponseError(f"The server at {self._host} sent more than {MAX_HEAD // 1024} KiB of headers.")
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.AsyncNetworkStream:
        try:
            secured = await self._inner.start_tls(ssl_context, server_hostname, timeout)
        except (httpcore.ConnectError, httpcore.ReadError, httpcore.WriteError, OSError, ValueError) as error:
            raise tls_failure(server_hostname or self._host, error) from error
        except BaseException:
            # The libraries close a connection whose handshake fails, but not one whose handshake is cancelled.
            await self._inner.aclose()
            raise
        return GuardedStream(secured, self._host)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Opens connections for httpcore, to vetted addresses only.

    `dialer` connects to a literal address and port; `checks_peer` compares where it arrived with where it was sent,
    and is off only for a dialer that goes through a proxy.
    """

    def __init__(
        self,
        policy: NetworkPolicy,
        resolver: Resolver,
        dialer: httpcore.AsyncNetworkBackend,
        *,
        checks_peer: bool = True,
    ) -> None:
        self._policy = policy
        self._resolver = resolver
        self._dialer = dialer
        self._checks_peer = checks_peer

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Look `host` up once, judge every answer, and connect to the first of exactly those that takes it."""
        loop = asyncio.get_running_loop()
        deadline = None if timeout is None else loop.time() + timeout
        literal = parse_address(host) is not None
        answers = [host] if literal else await self._resolver.resolve(host, port)
        vetted = self._policy.vet(host.removesuffix("."), port, answers)[:_MAX_DIALLED]
        failures: list[Exception] = []
        for waiting, address in zip(range(len(vetted), 0, -1), vetted, strict=True):
            # A dead address must leave time for those behind it.
            share = None if deadline is None else max(deadline - loop.time(), 0.0) / waiting
            try:
                stream = await self._dialer.connect_tcp(str(address), port, share, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failures.append(error)
                continue
            await self._check_peer(stream, address)
            return GuardedStream(stream, host)
        raise _not_connected(host, port, failures)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        raise RefusedAddressError("Refused to connect to a socket in the file system: it is not on the network.")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _check_peer(self, stream: httpcore.AsyncNetworkStream, address: IPAddress) -> None:
        if not self._checks_peer:
            return
        peer = stream.get_extra_info("server_addr")
        reached = str(peer[0]) if peer else "an unknown address"
        if parse_address(reached) is None or dialable(ip_address(reached)) != address:
            await stream.aclose()
            raise RefusedAddressError(f"Refused the connection to {address}: it arrived at {reached}.")


def _not_connected(host: str, port: int, failures: Sequence[Exception]) -> ToolError:
    place = f"{host} at port {port}"
    if all(behind(failure, ConnectionRefusedError) is not None for failure in failures):
        return ConnectionRefusedByPeerError(f"The connection to {place} was refused: nothing answers there.")
    if any(isinstance(failure, httpcore.ConnectTimeout) for failure in failures):
        return DeadlineError(f"The connection to {place} could not be made in time.")
    said = next((str(failure) for failure in failures if isinstance(failure, ProxyRefusedError)), "")
    return ConnectionFailedError(f"The connection to {place} could not be made: {said or 'it cannot be reached'}.")

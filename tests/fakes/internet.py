"""A pretend internet: names with scripted answers, and addresses that lead to a scripted web on loopback."""

# ruff: noqa: ASYNC109 - time limits are parameters in httpcore's interface

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import httpcore

from agent_tools.guards.network_errors import NameNotFoundError
from agent_tools.guards.transport import Network
from tests.fakes.web import FakeWeb

PUBLIC = "93.184.216.34"

Answer = Sequence[str]


class ScriptedResolver:
    """Answers look-ups from a script; `*` stands for all other names, and unknown names are not found.

    A list of lists gives the first look-up the first list, and so on; the last stays. A `silent` name never answers.
    """

    def __init__(self, answers: Mapping[str, Answer | Sequence[Answer]], *, silent: Iterable[str] = ()) -> None:
        self.lookups: list[str] = []
        self._answers = {name: self._in_turn(answer) for name, answer in answers.items()}
        self._silent = frozenset(silent)

    async def resolve(self, host: str, port: int) -> list[str]:
        self.lookups.append(host)
        name = host.removesuffix(".")
        if name in self._silent:
            await asyncio.Event().wait()
        turns = self._answers.get(name, self._answers.get("*"))
        if turns is None:
            raise NameNotFoundError(f"The name {host} was not found.")
        return list(turns.pop(0) if len(turns) > 1 else turns[0])

    @staticmethod
    def _in_turn(answer: Answer | Sequence[Answer]) -> list[Answer]:
        turns = [item for item in answer if not isinstance(item, str)]
        return turns or [[item for item in answer if isinstance(item, str)]]


class _Arrived(httpcore.AsyncNetworkStream):
    """A connection to loopback that says it reached the address that was dialled."""

    def __init__(self, inner: httpcore.AsyncNetworkStream, peer: tuple[str, int]) -> None:
        self._inner = inner
        self._peer = peer

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self._inner.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        return _Arrived(await self._inner.start_tls(ssl_context, server_hostname, timeout), self._peer)

    def get_extra_info(self, info: str) -> Any:
        return self._peer if info == "server_addr" else self._inner.get_extra_info(info)


class LoopbackDialer(httpcore.AsyncNetworkBackend):
    """Leads every address to a scripted web, its https for the ports in `tls_ports`; `dialled` says what was asked for.

    Addresses in `dead` refuse, those in `black_holes` never answer, those in `astray` arrive somewhere else.
    """

    def __init__(self, web: FakeWeb, *, tls_ports: Iterable[int] = (443, 8443)) -> None:
        self.dialled: list[tuple[str, int]] = []
        self.dead: set[str] = set()
        self.black_holes: set[str] = set()
        self.astray: dict[str, str] = {}
        self._web = web
        self._tls_ports = frozenset(tls_ports)

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.AsyncNetworkStream:
        self.dialled.append((host, port))
        if host in self.dead:
            raise httpcore.ConnectError(ConnectionRefusedError()) from ConnectionRefusedError()
        if host in self.black_holes:
            await _black_hole(timeout)
        real = self._web.tls_port if port in self._tls_ports else self._web.port
        stream = await httpcore.AnyIOBackend().connect_tcp("127.0.0.1", real, timeout)
        return _Arrived(stream, (self.astray.get(host, host), port))


async def _black_hole(timeout: float | None) -> None:
    try:
        async with asyncio.timeout(timeout):
            await asyncio.Event().wait()
    except TimeoutError as error:
        raise httpcore.ConnectTimeout from error


def pretend_network(
    web: FakeWeb,
    names: Mapping[str, Answer | Sequence[Answer]] | None = None,
    *,
    dialer: LoopbackDialer | None = None,
    resolver: ScriptedResolver | None = None,
) -> Network:
    """Return a network where names have these answers (by default all one public address) and all leads to `web`."""
    return Network(
        resolver=resolver or ScriptedResolver({"*": [PUBLIC]} if names is None else names),
        ssl_context=web.authority.client_context(),
        dialer=dialer or LoopbackDialer(web),
    )

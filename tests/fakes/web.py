"""A scripted web on loopback: real sockets and TLS, answers of any kind, a record of all that arrived.

In a test's own loop: `async with FakeWeb() as web`; for synchronous tests, in a thread: `with FakeWeb().in_thread() as
web`. Answers come from `tests.fakes.web_answers`, names and addresses from `tests.fakes.internet`.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from agent_tools.guards.ports import BAD_PORTS
from tests.fakes.web_tls import Authority, authority
from tests.fakes.web_wire import Received, Script, Wire, receive

_PATIENCE = 10.0  # seconds in which a thread must start and stop


class FakeWeb:
    """A server at `port` for http and at `tls_port` for https, both on 127.0.0.1.

    `requests` are those received, in order; `connections` counts sockets accepted, `handshakes` the TLS ones completed.
    Without a route for a path the answer is 404.
    """

    def __init__(self, certificates: Authority | None = None) -> None:
        self.requests: list[Received] = []
        self.connections = 0
        self.handshakes = 0
        self.port = 0
        self.tls_port = 0
        self.authority = certificates or authority()
        self._routes: dict[tuple[str, str], Script] = {}
        self._servers: list[asyncio.Server] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def on(self, path: str, script: Script, *, host: str = "") -> None:
        """Answer requests for a path (`*`: any) with a script; with `host`, only under that host (without port)."""
        self._routes[host.lower(), path] = script

    def url(self, path: str = "/", *, host: str = "127.0.0.1", secure: bool = False) -> str:
        """Return a URL of this server at its real port."""
        scheme, port = ("https", self.tls_port) if secure else ("http", self.port)
        return f"{scheme}://{host}:{port}{path}"

    @property
    def paths(self) -> list[str]:
        """The paths requested, in order."""
        return [received.path for received in self.requests]

    async def __aenter__(self) -> Self:
        self.port = await self._listen(None)
        self.tls_port = await self._listen(self.authority.server_context())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in self._servers:
            server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for server in self._servers:
            await server.wait_closed()
        self._servers.clear()

    @contextlib.contextmanager
    def in_thread(self) -> Iterator[Self]:
        """Serve from a thread with a loop of its own."""
        started = threading.Event()
        loop = asyncio.new_event_loop()
        stopping = asyncio.Event()

        async def serve() -> None:
            async with self:
                started.set()
                await stopping.wait()

        def run() -> None:
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                runner.run(serve())

        thread = threading.Thread(target=run, name="fake-web", daemon=True)
        thread.start()
        if not started.wait(_PATIENCE):
            raise RuntimeError("the scripted web did not start")
        try:
            yield self
        finally:
            loop.call_soon_threadsafe(stopping.set)
            thread.join(_PATIENCE)

    async def _listen(self, context: ssl.SSLContext | None) -> int:
        """Listen at a port that URLs may name."""
        while True:
            server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=context)
            port = int(server.sockets[0].getsockname()[1])
            if port not in BAD_PORTS:
                self._servers.append(server)
                return port
            server.close()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._converse(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        connection = writer.get_extra_info("ssl_object")
        self.handshakes += connection is not None
        tls_name = self.authority.asked.pop(connection, None) if connection else None
        try:
            keep_open = True
            while keep_open and (received := await receive(reader, writer, tls_name)) is not None:
                self.requests.append(received)
                wire = Wire(reader, writer, received)
                try:
                    await self._script(received)(received, wire)
                finally:
                    received.finished.set()
                keep_open = wire.keep_open
        except (ConnectionError, ssl.SSLError):
            pass
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError, ssl.SSLError, TimeoutError):
                await writer.wait_closed()

    def _script(self, received: Received) -> Script:
        host = received.host.rpartition(":")[0] if ":" in received.host else received.host
        for key in ((host.lower(), received.path), (host.lower(), "*"), ("", received.path), ("", "*")):
            if key in self._routes:
                return self._routes[key]
        return _not_found


async def _not_found(received: Received, wire: Wire) -> None:
    await wire.send(b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 7\r\n\r\nnothing")

"""A proxy on loopback that opens tunnels to a scripted web, and says what it was asked for."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Self

from tests.fakes.web import FakeWeb


class FakeProxy:
    """Answers CONNECT with `answer` and, where that is a success, tunnels to the web: its https for port 443.

    `heads` are the requests as received.
    """

    def __init__(self, web: FakeWeb, answer: bytes = b"HTTP/1.1 200 Connection established\r\n\r\n") -> None:
        self.heads: list[str] = []
        self.port = 0
        self._web = web
        self._answer = answer
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def targets(self) -> list[str]:
        """What each CONNECT named."""
        return [head.split(" ")[1] for head in self.heads]

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError), contextlib.closing(writer):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("ascii")
            self.heads.append(head)
            writer.write(self._answer)
            if b" 200 " not in self._answer:
                return
            secure = head.split(" ")[1].endswith(":443")
            onward = await asyncio.open_connection("127.0.0.1", self._web.tls_port if secure else self._web.port)
            with contextlib.closing(onward[1]):
                await asyncio.gather(_pump(reader, onward[1]), _pump(onward[0], writer))


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    while data := await source.read(65_536):
        sink.write(data)
        await sink.drain()
    sink.close()

"""One connection of the scripted model server: HTTP/1.1 by hand, so that it can break in every way."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
from collections.abc import Awaitable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from tests.fakes.flags import Flag, Gate
from tests.fakes.model_script import Act, Reply, Step

_KEEPALIVE_SECONDS = 0.02
_HEAD_END = b"\r\n\r\n"


class _GoneError(Exception):
    """The client has left."""


@dataclass(slots=True, kw_only=True)
class Recorded:
    """One request as it came; `raw` is its body, `body` the parsed one (empty when it is no JSON object)."""

    method: str
    path: str
    headers: dict[str, str]
    raw: bytes
    body: dict[str, Any] = field(default_factory=dict)
    steps_sent: int = 0
    finished: Flag = field(default_factory=Flag)
    disconnected: Flag = field(default_factory=Flag)


class Connection:
    """Reads requests and sends replies, always watching whether the client is still there."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._buffer = bytearray()
        self._news = asyncio.Event()
        self._gone = asyncio.Event()
        self._pump = asyncio.create_task(self._read(reader))

    async def request(self) -> Recorded | None:
        """Return the next request, or none when the client has left."""
        while (request := self._parse()) is None:
            if self._gone.is_set():
                return None
            self._news.clear()
            await self._news.wait()
        return request

    async def send(self, reply: Reply, request: Recorded) -> bool:
        """Send a reply; tell whether the connection can go on."""
        try:
            if reply.before_headers is not None:
                await self._unless_gone(reply.before_headers.passed())
            await self._write(_head(reply))
            for step in reply.steps:
                if not await self._do(step, reply):
                    return False
                request.steps_sent += 1
            if reply.framing == "chunked":
                await self._write(b"0\r\n\r\n")
        except (_GoneError, ConnectionError):
            request.disconnected.set()
            return False
        request.finished.set()
        return reply.framing == "chunked"

    async def close(self) -> None:
        self._pump.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConnectionError):
            await self._pump
        self._writer.close()
        with contextlib.suppress(ConnectionError, TimeoutError, OSError):
            await self._writer.wait_closed()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while data := await reader.read(65536):
                self._buffer += data
                self._news.set()
        except ConnectionError:
            pass
        finally:
            self._gone.set()
            self._news.set()

    def _parse(self) -> Recorded | None:
        head, found, rest = bytes(self._buffer).partition(_HEAD_END)
        if not found:
            return None
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length = int(headers.get("content-length", "0"))
        if len(rest) < length:
            return None
        del self._buffer[: len(head) + len(_HEAD_END) + length]
        method, path, _ = first.split(" ", 2)
        recorded = Recorded(method=method, path=path, headers=headers, raw=rest[:length])
        with contextlib.suppress(ValueError):
            body = json.loads(recorded.raw)
            recorded.body = body if isinstance(body, dict) else {}
        return recorded

    async def _do(self, step: Step, reply: Reply) -> bool:
        """Take one step; tell whether the reply goes on."""
        if isinstance(step, bytes):
            await self._write(f"{len(step):x}\r\n".encode() + step + b"\r\n" if reply.framing == "chunked" else step)
        elif isinstance(step, Gate):
            await self._unless_gone(step.passed())
        elif step is Act.SILENCE:
            await self._unless_gone(asyncio.get_running_loop().create_future())
        elif step is Act.KEEPALIVES:
            while True:
                await self._do(b": PROCESSING\n\n", reply)
                await self._unless_gone(asyncio.sleep(_KEEPALIVE_SECONDS))
        else:
            if step is Act.RESET:
                self._reset()
            return False
        return True

    def _reset(self) -> None:
        """Make the close a reset (RFC 9293, 3.10.7): a linger of zero seconds."""
        raw = self._writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    async def _write(self, data: bytes) -> None:
        if self._gone.is_set():
            raise _GoneError
        if data:
            self._writer.write(data)
            await self._writer.drain()

    async def _unless_gone(self, step: Awaitable[object]) -> None:
        doing = asyncio.ensure_future(step)
        leaving = asyncio.ensure_future(self._gone.wait())
        try:
            await asyncio.wait({doing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not doing.done():
                raise _GoneError
        finally:
            doing.cancel()
            leaving.cancel()


def _head(reply: Reply) -> bytes:
    framing = {"transfer-encoding": "chunked"} if reply.framing == "chunked" else {"connection": "close"}
    headers = {"content-type": reply.content_type, "x-request-id": "req_test", **framing, **reply.headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value)
    known = {status.value: status.phrase for status in HTTPStatus}
    return f"HTTP/1.1 {reply.status} {known.get(reply.status, 'Status')}\r\n{lines}\r\n".encode()

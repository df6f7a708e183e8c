"""What a scripted web server has in hand while it answers: the request, and the wire to send any bytes on."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qs

_MAX_HEAD = 1_048_576


@dataclass(slots=True)
class Received:
    """A request as it arrived; `tls_name` is the name that TLS was asked for, None without TLS or without a name."""

    method: str
    target: str
    fields: list[tuple[str, str]]
    body: bytes
    secure: bool = False
    tls_name: str | None = None
    bytes_sent: int = 0
    finished: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> dict[str, list[str]]:
        return parse_qs(self.target.partition("?")[2], keep_blank_values=True)

    @property
    def headers(self) -> dict[str, str]:
        """The fields by lower-case name, the last of each."""
        return {name.lower(): value for name, value in self.fields}

    @property
    def host(self) -> str:
        return self.headers.get("host", "")


class Wire:
    """The server's end of a connection, for sending whatever a script likes, valid HTTP or not."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, received: Received) -> None:
        self._reader = reader
        self._writer = writer
        self._received = received
        self.keep_open = received.headers.get("connection", "").lower() != "close"

    async def send(self, data: bytes) -> None:
        """Send bytes as they are; ConnectionError once the client has gone."""
        self._writer.write(data)
        await self._writer.drain()
        self._received.bytes_sent += len(data)
        if self._reader.at_eof():
            raise ConnectionResetError

    async def client_left(self) -> None:
        """Wait until the client closes the connection."""
        self.keep_open = False
        while await self._reader.read(65_536):
            pass

    def close(self) -> None:
        """Close when the script ends, whatever the client wished."""
        self.keep_open = False

    def reset(self) -> None:
        """Break the connection off at once."""
        self.keep_open = False
        self._writer.transport.abort()


Script = Callable[[Received, Wire], Awaitable[None]]


async def receive(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, tls_name: str | None) -> Received | None:
    """Read one request, None where the client closed instead."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError, ssl.SSLError):
        return None
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, target, _ = first.split(" ", 2)
    fields = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    secure = writer.get_extra_info("ssl_object") is not None
    received = Received(method, target, fields, b"", secure, tls_name)
    received.body = await _body(reader, received.headers)
    return received


async def _body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() != "chunked":
        return await reader.readexactly(int(headers.get("content-length", "0")))
    body = b""
    while size := int(await reader.readline(), 16):
        body += await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
    return body

"""A small WebSocket client (RFC 6455) for real sockets; its reader is as slow as the test wants."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket as sockets
import struct
from types import TracebackType
from typing import Any, Self

PATIENCE = 30.0
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class ClosedError(Exception):
    """The server closed the socket; `code` is 1006 where it just vanished."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class WebSocket:
    """Connects as a block; `receive_buffer` bounds what the system takes in for a reader that does not read."""

    def __init__(self, port: int, path: str, *, session_key: str, receive_buffer: int | None = None) -> None:
        self._port = port
        self._path = path
        self._session_key = session_key
        self._receive_buffer = receive_buffer

    async def __aenter__(self) -> Self:
        raw = sockets.socket()
        if self._receive_buffer:
            raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, self._receive_buffer)
        raw.setblocking(False)
        await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", self._port))
        limit = 2**16 if self._receive_buffer is None else 2**12
        self._reader, self._writer = await asyncio.open_connection(sock=raw, limit=limit)
        key = base64.b64encode(os.urandom(16)).decode()
        self._writer.write(
            f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nOrigin: http://127.0.0.1:{self._port}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Cookie: sessionid={self._session_key}\r\n\r\n".encode()
        )
        head = await asyncio.wait_for(self._reader.readuntil(b"\r\n\r\n"), PATIENCE)
        assert b" 101 " in head.split(b"\r\n")[0], head
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.drop()
        await asyncio.sleep(0)

    def drop(self) -> None:
        """Vanish without a word."""
        self._writer.transport.abort()

    async def frame(self, **fields: Any) -> None:
        """Send one JSON frame."""
        self._send(TEXT, json.dumps(fields, default=str).encode())
        await self._writer.drain()

    async def next(self, seconds: float = PATIENCE) -> dict[str, Any]:
        """Return the next message; raises `ClosedError`."""
        async with asyncio.timeout(seconds):
            while True:
                kind, payload = await self._receive()
                if kind == PING:
                    self._send(PONG, payload)
                elif kind == CLOSE:
                    raise ClosedError(struct.unpack("!H", payload[:2])[0] if payload else 1005)
                elif kind == TEXT:
                    message: dict[str, Any] = json.loads(payload)
                    return message

    async def _receive(self) -> tuple[int, bytes]:
        try:
            first, length = await self._reader.readexactly(2)
            if length == 126:
                length = struct.unpack("!H", await self._reader.readexactly(2))[0]
            elif length == 127:
                length = struct.unpack("!Q", await self._reader.readexactly(8))[0]
            return first & 15, await self._reader.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise ClosedError(1006) from error

    def _send(self, kind: int, payload: bytes) -> None:
        mask = os.urandom(4)
        length = len(payload)
        size = (
            bytes([128 | length])
            if length < 126
            else b"\xfe" + struct.pack("!H", length)
            if length < 65_536
            else b"\xff" + struct.pack("!Q", length)
        )
        body = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
        self._writer.write(bytes([128 | kind]) + size + mask + body)

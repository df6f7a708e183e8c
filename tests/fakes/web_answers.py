"""Answers for a scripted web: honest ones, and every way a server misbehaves that the project knows of."""

from __future__ import annotations

import asyncio
import gzip
import json
import zlib
from collections.abc import Iterable
from http import HTTPStatus

from tests.fakes.web_wire import Received, Script, Wire

Fields = Iterable[tuple[str, str]]

_PAUSE = 0.02  # seconds between two pieces of something slow
_ZEROS = bytes(65_536)


def head(status: int, fields: Fields = (), reason: str | None = None) -> bytes:
    """Return a status line and header fields with the empty line that ends them."""
    phrase = HTTPStatus(status).phrase if reason is None else reason
    lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in fields)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8")


def page(
    body: bytes | str = b"",
    *,
    status: int = 200,
    content_type: str = "text/html; charset=utf-8",
    fields: Fields = (),
    reason: str | None = None,
) -> Script:
    """A whole, honest answer."""
    data = body.encode() if isinstance(body, str) else body

    async def script(received: Received, wire: Wire) -> None:
        typed = [("Content-Type", content_type)] if content_type else []
        sized = [] if status in {204, 304} else [("Content-Length", str(len(data)))]
        await wire.send(head(status, [*typed, *sized, *fields], reason))
        if received.method != "HEAD" and sized:
            await wire.send(data)

    return script


def json_page(value: object, *, status: int = 200) -> Script:
    """An answer in JSON."""
    return page(json.dumps(value), status=status, content_type="application/json")


def echo() -> Script:
    """Answer with what was received, in JSON: method, target, fields, body."""

    async def script(received: Received, wire: Wire) -> None:
        seen = {"method": received.method, "target": received.target, "fields": received.fields}
        await json_page({**seen, "body": received.body.decode("latin-1")})(received, wire)

    return script


def redirect(location: str | bytes | None, status: int = 302, fields: Fields = ()) -> Script:
    """Lead elsewhere; without a location, only pretend to."""
    target = location.encode() if isinstance(location, str) else location

    async def script(received: Received, wire: Wire) -> None:
        line = b"" if target is None else b"Location: " + target + b"\r\n"
        await wire.send(head(status, [("Content-Length", "5"), *fields])[:-2] + line + b"\r\nmoved")

    return script


def in_turn(*scripts: Script) -> Script:
    """Answer one request after the other by these; the last stays."""
    waiting = list(scripts)

    async def script(received: Received, wire: Wire) -> None:
        await (waiting.pop(0) if len(waiting) > 1 else waiting[0])(received, wire)

    return script


def compressed(body: bytes, coding: str = "gzip", content_type: str = "text/html") -> Script:
    """An honest answer in `gzip`, `deflate` (with zlib's header) or `raw-deflate`."""
    if coding == "gzip":
        data = gzip.compress(body)
    else:
        data = zlib.compress(body)[2:-4] if coding == "raw-deflate" else zlib.compress(body)
    fields = [("Content-Encoding", coding.removeprefix("raw-"))]
    return page(data, content_type=content_type, fields=fields)


def raw(data: bytes) -> Script:
    """Send exactly these bytes and close."""

    async def script(received: Received, wire: Wire) -> None:
        wire.close()
        await wire.send(data)

    return script


def too_short(body: bytes, promised: int) -> Script:
    """Promise more than is sent."""
    return raw(head(200, [("Content-Type", "text/plain"), ("Content-Length", str(promised))]) + body)


def reset(after: bytes = b"") -> Script:
    """Break the connection off after some bytes."""

    async def script(received: Received, wire: Wire) -> None:
        if after:
            await wire.send(after)
        wire.reset()

    return script


def silence() -> Script:
    """Never answer."""

    async def script(received: Received, wire: Wire) -> None:
        await wire.client_left()

    return script


def drip(data: bytes, *, pause: float = _PAUSE) -> Script:
    """Send bytes one by one, then nothing: a head, a body, whatever is given."""

    async def script(received: Received, wire: Wire) -> None:
        for octet in data:
            await wire.send(bytes([octet]))
            await asyncio.sleep(pause)
        await wire.client_left()

    return script


def body_drip(start: bytes, *, pause: float = _PAUSE) -> Script:
    """Send a head and `start`, then one byte after the other without end."""

    async def script(received: Received, wire: Wire) -> None:
        await wire.send(head(200, [("Content-Type", "text/plain")]) + start)
        while True:
            await wire.send(b".")
            await asyncio.sleep(pause)

    return script


def endless_interim(status: int = 103, *, pause: float = _PAUSE) -> Script:
    """Send interim responses without end; without a pause as fast as the wire takes them."""

    async def script(received: Received, wire: Wire) -> None:
        while True:
            await wire.send(head(status, [("Link", "</a.css>; rel=preload")], "Early Hints"))
            await asyncio.sleep(pause)

    return script


def endless_head() -> Script:
    """Send header fields without end."""

    async def script(received: Received, wire: Wire) -> None:
        await wire.send(b"HTTP/1.1 200 OK\r\n")
        while True:
            await wire.send(b"X-More: " + b"a" * 1_000 + b"\r\n")

    return script


def endless_chunks(chunk: bytes = b"x" * 4_096, fields: Fields = ()) -> Script:
    """Send a chunked body without end."""

    async def script(received: Received, wire: Wire) -> None:
        await wire.send(head(200, [("Content-Type", "text/plain"), ("Transfer-Encoding", "chunked"), *fields]))
        while True:
            await wire.send(b"%x\r\n%b\r\n" % (len(chunk), chunk))

    return script


def bomb(size: int, coding: str = "gzip") -> Script:
    """Send `size` zeros compressed a thousandfold."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS if coding == "gzip" else zlib.MAX_WBITS)
    parts = [compressor.compress(_ZEROS) for _ in range(size // len(_ZEROS))]
    return page(b"".join(parts) + compressor.flush(), fields=[("Content-Encoding", coding)])

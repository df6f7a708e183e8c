"""Splits a byte stream into server-sent events (WHATWG HTML, section 9.2), however the bytes are cut."""

from __future__ import annotations

from typing import NamedTuple

_BOM = b"\xef\xbb\xbf"
MAX_FRAME_BYTES = 8 * 1024 * 1024


class FrameTooLargeError(ValueError):
    """An event is larger than the bound."""


class Frame(NamedTuple):
    """One event: its name (empty where none was given) and its data lines joined by newlines. A comment is a
    keep-alive, never content.
    """

    event: str
    data: str
    comment: bool = False


class SseSplitter:
    """Feed it bytes, get events. Line ends are LF, CR or CRLF; the last event needs no blank line behind it."""

    def __init__(self, max_frame_bytes: int = MAX_FRAME_BYTES) -> None:
        self._max = max_frame_bytes
        self._tail = bytearray()
        self._after_cr = False
        self._first = True
        self._event = ""
        self._data: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> list[Frame]:
        """Return the events that these bytes complete; raises `FrameTooLargeError`."""
        if not data:
            return []
        if self._after_cr and data.startswith(b"\n"):
            data = data[1:]
        self._after_cr = data.endswith(b"\r")
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        frames: list[Frame] = []
        *lines, rest = data.split(b"\n")
        if lines and self._tail:
            lines[0] = bytes(self._tail) + lines[0]
            self._tail.clear()
        self._tail += rest
        for line in lines:
            self._line(line, frames)
        self._check(len(self._tail))
        return frames

    def close(self) -> list[Frame]:
        """Return the events that only the end of the stream completes."""
        frames: list[Frame] = []
        if self._tail:
            self._line(bytes(self._tail), frames)
            self._tail.clear()
        self._line(b"", frames)
        return frames

    def _line(self, line: bytes, frames: list[Frame]) -> None:
        if self._first:
            self._first = False
            line = line.removeprefix(_BOM)
        if not line:
            if self._data:
                frames.append(Frame(self._event, b"\n".join(self._data).decode("utf-8", "replace")))
            self._event, self._data, self._size = "", [], 0
            return
        self._check(len(line))
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if not name:
            frames.append(Frame("", value.decode("utf-8", "replace"), comment=True))
        elif name == b"data":
            self._data.append(value)
            self._size += len(value) + 1
        elif name == b"event":
            self._event = value.decode("utf-8", "replace")

    def _check(self, more: int) -> None:
        if self._size + more > self._max:
            raise FrameTooLargeError(f"An event of the stream is larger than {self._max} bytes.")

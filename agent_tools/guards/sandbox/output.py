"""Keeps the beginning and the end of an output of any length."""

from __future__ import annotations

import re

HEAD = 0.6
_SEQUENCES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]")
"""Control sequences of terminals (ECMA-48, 5.4)."""


class HeadAndTail:
    """Takes octets and keeps at most about `most` of them."""

    def __init__(self, most: int) -> None:
        self.taken = 0
        self._head_size = int(most * HEAD)
        self._tail_size = most - self._head_size
        self._head = bytearray()
        self._tail = bytearray()

    def take(self, octets: bytes) -> None:
        self.taken += len(octets)
        room = self._head_size - len(self._head)
        if room > 0:
            self._head += octets[:room]
            octets = octets[room:]
        if len(octets) >= self._tail_size:
            self._tail[:] = octets[len(octets) - self._tail_size :]
        elif octets:
            self._tail += octets
            if len(self._tail) > 2 * self._tail_size:
                del self._tail[: -self._tail_size]

    @property
    def cut(self) -> int:
        """How many octets are left out."""
        return max(0, self.taken - len(self._head) - min(len(self._tail), self._tail_size))

    def text(self) -> str:
        """Return what is kept, read as UTF-8, without control sequences and with a note in place of what is not."""
        head, tail = bytes(self._head), bytes(self._tail[-self._tail_size :]) if self._tail else b""
        if not self.cut:
            return plain(head + tail)
        return f"{plain(head)}\n[… {self.cut:,} bytes of output are left out …]\n{plain(tail)}"


def plain(octets: bytes) -> str:
    """Return a terminal's output as text."""
    return _SEQUENCES.sub("", octets.decode("utf-8", "replace")).replace("\r\n", "\n")

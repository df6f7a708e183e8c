"""Content codings undone in small pieces, so that a few octets which inflate to gigabytes never do so at once."""

from __future__ import annotations

import zlib
from collections.abc import Generator, Iterator
from typing import Protocol

PIECE = 65_536  # octets given at a time
_GZIP = 16 + zlib.MAX_WBITS
_RAW = -zlib.MAX_WBITS
_MAGIC = b"\x1f\x8b"  # RFC 1952, 2.3.1
_HEADER = 2  # octets by which a format is told


class BrokenCodingError(Exception):
    """The data is not what its coding says."""


class Decoder(Protocol):
    """Undoes one coding; `ended` once the coded data says that it is whole, `trailing` if other data came behind it."""

    ended: bool
    trailing: bool

    def decode(self, data: bytes) -> Iterator[bytes]:
        """Give what the next octets decode to; BrokenCodingError where they cannot be."""
        ...

    def finish(self) -> Iterator[bytes]:
        """Give what waits for octets that will not come."""
        ...


class _Stream(Protocol):
    """The part of zlib's decompression object that is used; its type has no public name."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def unconsumed_tail(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class Identity:
    """No coding: only the connection knows whether all has come."""

    ended = True
    trailing = False

    def decode(self, data: bytes) -> Iterator[bytes]:
        """Give the data as it is."""
        yield data

    def finish(self) -> Iterator[bytes]:
        """Nothing waits."""
        yield from ()


class Inflater:
    """Gzip of one or several members, or deflate with the header of RFC 1950 or, as some servers send it, without."""

    def __init__(self, *, gzip: bool) -> None:
        self.ended = False
        self.trailing = False
        self._gzip = gzip
        self._waiting = b""
        self._stream: _Stream | None = None

    def decode(self, data: bytes) -> Iterator[bytes]:
        """Inflate the next octets, member after member."""
        data = self._waiting + data
        self._waiting = b""
        while data and not self.trailing:
            if self._stream is None and (data := self._opened(data)) == b"":
                return
            data = yield from self._inflated(data)

    def finish(self) -> Iterator[bytes]:
        """Treat what is left as it is, though it was too little to tell a format by."""
        left, self._waiting = self._waiting, b""
        if left and self.ended:
            self.trailing = True
        elif left:
            self._stream = zlib.decompressobj(_GZIP if self._gzip else _RAW)
            yield from self._inflated(left)

    def _opened(self, data: bytes) -> bytes:
        """Open a stream for the data, which is returned; empty where it must wait or is not for inflating."""
        if self.ended:
            data = data.lstrip(b"\0") if self._gzip else data
            if data and not (self._gzip and _MAGIC.startswith(data[:_HEADER])):
                self.trailing = True
                return b""
        if len(data) < _HEADER:
            self._waiting = data
            return b""
        self.ended = False
        self._stream = zlib.decompressobj(_GZIP if self._gzip else _deflate_window(data))
        return data

    def _inflated(self, data: bytes) -> Generator[bytes, None, bytes]:
        """Inflate up to the end of the data, or of the member: what stands behind that is returned."""
        stream = self._stream
        while stream is not None:
            try:
                piece = stream.decompress(data, PIECE)
            except zlib.error as error:
                raise BrokenCodingError from error
            if piece:
                yield piece
            if stream.eof:
                self.ended, self._stream = True, None
                return stream.unused_data
            data = stream.unconsumed_tail
            # A full piece may have left output inside the stream though all input is consumed.
            if not data and len(piece) < PIECE:
                break
        return b""


def _deflate_window(data: bytes) -> int:
    """Tell RFC 1950's header by its method and check bits; raw data never begins like it in practice."""
    framed = data[0] & 0x0F == zlib.DEFLATED and int.from_bytes(data[:_HEADER]) % 31 == 0
    return zlib.MAX_WBITS if framed else _RAW


def decoder_for(coding: str) -> Decoder | None:
    """Return a decoder for one coding of HTTP (RFC 9110, 8.4.1), empty for none; None where it is not supported."""
    if not coding:
        return Identity()
    if coding in {"gzip", "x-gzip", "deflate"}:
        return Inflater(gzip=coding != "deflate")
    return None

"""Content codings undone in small pieces, so that a few octets which inflate to gigabytes never do so at once."""

from __future__ import annotations

import re
import zlib
from collections.abc import Generator, Iterator
from typing import Protocol

PIECE = 65_536  # octets given at a time
_GZIP = 16 + zlib.MAX_WBITS
_RAW = -zlib.MAX_WBITS
_MAGIC = b"\x1f\x8b"  # RFC 1952, 2.3.1
_HEADER = 2  # octets by which a format is told
_TELLING = 16  # octets of text that no data compressed without a header begins with, in all likelihood
_TEXT = re.compile(rb"[\t\r\n\x20-\x7e]+")


class BrokenCodingError(Exception):
    """The data is not what its coding says."""


class Decoder(Protocol):
    """Undoes one coding; `ended` once the coded data says that it is whole, `trailing` if other data came behind it,
    `mislabelled` if the data was never coded and is given as it is.
    """

    ended: bool
    trailing: bool
    mislabelled: bool

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
    def copy(self) -> _Stream: ...


class Identity:
    """No coding: only the connection knows whether all has come."""

    ended = True
    trailing = False
    mislabelled = False

    def decode(self, data: bytes) -> Iterator[bytes]:
        """Give the data as it is."""
        yield data

    def finish(self) -> Iterator[bytes]:
        """Nothing waits."""
        yield from ()


class Inflater:
    """Gzip of one or several members, or deflate with the header of RFC 1950 or, as some servers send it, without.

    What the data says of itself counts more than its label: either format is read under both names, and what is
    plainly in neither is given as it is.
    """

    def __init__(self, *, gzip: bool) -> None:
        self.ended = False
        self.trailing = False
        self.mislabelled = False
        self._gzip = gzip
        self._waiting = b""
        self._stream: _Stream | None = None

    def decode(self, data: bytes) -> Iterator[bytes]:
        """Inflate the next octets, member after member."""
        data = self._waiting + data
        self._waiting = b""
        while data and not self.trailing and not self.mislabelled:
            if self._stream is None and (data := self._opened(data)) == b"":
                return
            data = yield from self._inflated(data)
        if self.mislabelled:
            yield data

    def finish(self) -> Iterator[bytes]:
        """Treat what is left as it is, though it was too little to tell a format by."""
        left, self._waiting = self._waiting, b""
        if left and self.ended:
            self.trailing = True
        elif len(left) >= _HEADER:  # text that was waited for until it would be enough to tell
            self.ended = self.mislabelled = True
            yield left
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
        window = _window(data, gzip=self._gzip)
        if window is None:
            self._waiting = data
            return b""
        if window == 0:
            self.ended = self.mislabelled = True
            return data
        self.ended = False
        self._gzip = window == _GZIP
        self._stream = zlib.decompressobj(window)
        return data

    def _inflated(self, data: bytes) -> Generator[bytes, None, bytes]:
        """Inflate up to the end of the data, or of the member: what stands behind that is returned."""
        stream = self._stream
        while stream is not None:
            before = stream.copy()
            try:
                piece = stream.decompress(data, PIECE)
            except zlib.error as error:
                yield _sound_part(before, data)
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
        return data


def _window(data: bytes, *, gzip: bool) -> int | None:
    """Tell what `zlib` must be told to read the data; 0 where it is not coded at all, None if that cannot be said yet.

    RFC 1950's header is known by its method and check bits; raw data never begins like it in practice.
    """
    if len(data) < _HEADER:
        return None
    if data.startswith(_MAGIC):
        return _GZIP
    if data[0] & 0x0F == zlib.DEFLATED and int.from_bytes(data[:_HEADER]) % 31 == 0:
        return zlib.MAX_WBITS
    if gzip:
        return 0
    if len(data) < _TELLING and _TEXT.fullmatch(data):
        return None
    return 0 if _TEXT.fullmatch(data[:_TELLING]) else _RAW


def _sound_part(stream: _Stream, data: bytes) -> bytes:
    """Return what broken data decodes to before its fault: less than PIECE, since one call ran into it."""
    sound = bytearray()
    for octet in data:
        try:
            sound += stream.decompress(bytes([octet]), PIECE)
        except zlib.error:
            break
    return bytes(sound)


def decoder_for(coding: str) -> Decoder | None:
    """Return a decoder for one coding of HTTP (RFC 9110, 8.4.1), empty for none; None where it is not supported."""
    if not coding:
        return Identity()
    if coding in {"gzip", "x-gzip", "deflate"}:
        return Inflater(gzip=coding != "deflate")
    return None

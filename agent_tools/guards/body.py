"""A body taken off the wire within bounds: neither wire nor memory is spent beyond the limit."""

from __future__ import annotations

from collections.abc import Iterator

from agent_tools.guards.inflating import BrokenCodingError, Identity, decoder_for
from agent_tools.guards.response import BodyFlaw, BodyNote

ACCEPT_ENCODING = "gzip, deflate"
# What servers write where nothing is encoded: no codings, but charsets and encodings of mail.
_NO_CODINGS = frozenset({"", "identity", "none", "binary", "7bit", "8bit", "utf-8", "utf8", "chunked"})


class BoundedBody:
    """Takes a body's octets and gives them decoded, in pieces of at most 64 KiB or the size they came in.

    Gives at most `limit` octets and is `done` as soon as it knows of one more, or when the wire has brought more than
    a body of that size can need; exactly `limit` octets are not `truncated`.
    """

    def __init__(self, content_encoding: str, limit: int) -> None:
        named = [coding.strip().lower() for coding in content_encoding.split(",")]
        codings = [coding for coding in named if coding not in _NO_CODINGS]
        decoder = decoder_for("".join(codings)) if len(codings) <= 1 else None
        self.limit = limit
        self.size = 0
        self.wire_size = 0
        self.truncated = False
        self.note: BodyNote | None = None
        self._decoder = decoder or Identity()
        # What does not compress grows by its framing, less than 1/64, and by headers that may hold a file name.
        self._wire_limit = limit + (limit // 64 + 1_024 if codings else 0)
        if decoder is None:
            sent = ", ".join(codings)[:80]
            self._flawed(BodyFlaw.UNSUPPORTED_CODING, f"The body is encoded as '{sent}', which is not supported.")

    @property
    def done(self) -> bool:
        """Whether nothing more is wanted of the wire."""
        return self.truncated or (self.note is not None and self.note.flaw is not BodyFlaw.MISLABELLED)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take the next octets of the wire and give what they decode to; to be run to its end."""
        self.wire_size += len(data)
        if self.done:
            return
        yield from self._bounded(self._decoder.decode(data))
        self._note_label()
        if self._decoder.trailing and not self.truncated:
            self._flawed(BodyFlaw.TRAILING_DATA, "Data behind the end of the body's compressed data was ignored.")
        self.truncated = self.truncated or self.wire_size > self._wire_limit

    def finish(self, *, complete: bool = True) -> Iterator[bytes]:
        """Say that the wire has ended, `complete` or too early, and give what had waited for more."""
        if self.done:
            return
        yield from self._bounded(self._decoder.finish())
        self._note_label()
        whole = complete and (self._decoder.ended or not self.wire_size)
        if not whole and not self.done:
            self._flawed(BodyFlaw.INCOMPLETE, "The connection ended before the body was complete.")

    def _bounded(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        try:
            for piece in pieces:
                kept = piece[: self.limit - self.size]
                self.size += len(kept)
                self.truncated = len(kept) < len(piece)
                if kept:
                    yield kept
                if self.truncated:
                    return
        except BrokenCodingError:
            self._flawed(BodyFlaw.BROKEN_CODING, "The body's compressed data is broken; the part before that is given.")

    def _note_label(self) -> None:
        if self._decoder.mislabelled and self.note is None:
            message = "The server calls the body compressed, which it is not; it is given as it came."
            self._flawed(BodyFlaw.MISLABELLED, message)

    def _flawed(self, flaw: BodyFlaw, message: str) -> None:
        self.note = BodyNote(flaw, message)

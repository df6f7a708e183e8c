"""Line ends of texts: seen as LF by whoever compares them, written as the text has them."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left

LF, CRLF, CR = "\n", "\r\n", "\r"


def with_lf(text: str) -> str:
    """Return a text as read_file shows it: each CR LF as LF, and CR where there is no LF at all."""
    return text.replace(CRLF, LF) if LF in text else text.replace(CR, LF)


def only_end(text: str) -> str | None:
    """Return the line end that all lines of a text have, LF where there are none; none where they are mixed."""
    feeds = text.count(LF)
    if not feeds:
        return CR if CR in text else LF
    pairs = text.count(CRLF)
    return LF if not pairs else CRLF if pairs == feeds else None


class Mixed:
    """A text with lines that end with CR LF and others with LF, seen with LF alone."""

    def __init__(self, text: str) -> None:
        self.lf = with_lf(text)
        self._text = text
        self._pairs = array("q", (found.start() - number for number, found in enumerate(re.finditer(CRLF, text))))

    def original(self, start: int, end: int) -> str:
        """Return a part as the text has it, by its place in `lf`."""
        return self._text[start + bisect_left(self._pairs, start) : end + bisect_left(self._pairs, end)]

    def end_near(self, at: int) -> str:
        """Return the end of the line at a place in `lf`; of the one before, where it has none."""
        feed = self.lf.find(LF, at)
        feed = feed if feed >= 0 else self.lf.rfind(LF, 0, at)
        pair = bisect_left(self._pairs, feed)
        return CRLF if pair < len(self._pairs) and self._pairs[pair] == feed else LF

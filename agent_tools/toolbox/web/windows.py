"""Cuts a body into windows of a tool's largest response, so that a page of any length can be read on from a cut.

The text of a page is the text of its windows one after the other; each window is decoded and converted by itself, and
no more than one is ever held.
"""

from __future__ import annotations

import codecs

from agent_tools.text.charset import codec_of

LONGEST_TAG = 4_096
WITHOUT_ASCII = frozenset({"utf-16le", "utf-16be", "iso-2022-jp"})  # here the octet of "<" may be half of another sign


def split(window: bytes, charset: str, *, html: bool) -> tuple[bytes, bytes]:
    """Divide a window that was cut by size at the last place that splits neither a character nor (in HTML) a tag."""
    decoder = codecs.getincrementaldecoder(codec_of(charset))("replace")
    decoder.decode(window)
    pending = decoder.getstate()[0]
    end = len(window) - len(pending)
    if html and charset not in WITHOUT_ASCII:
        tag = window.rfind(b"<", max(0, end - LONGEST_TAG), end)
        if tag > 0 and window.find(b">", tag, end) < 0:
            end = tag
    return (window[:end], window[end:]) if end else (window, b"")

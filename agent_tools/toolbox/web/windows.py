"""Cuts a body into windows of a tool's largest response, so that a page of any length can be read on from a cut.

The text of a page is the text of its windows one after the other; each window is decoded and converted by itself, and
no more than one is ever held.
"""

from __future__ import annotations

import codecs
import re

from agent_tools.text.charset_names import WIDE, codec_of
from agent_tools.toolbox.web.markup import opened_at

LONGEST_TAG = 4_096
LEAST_WINDOW = 64  # octets; in less there may be no room for one character, or for what is carried over
_LONGEST_CLOSER = 16  # octets of "</noscript" and the like, which no cut may split
_END_OF_BLOCK = re.compile(
    rb"</(?:p|li|tr|div|h[1-6]|pre|table|ul|ol|dl|dd|dt|section|article|blockquote|figure)\s*>|<br\s*/?>", re.IGNORECASE
)
_SHIFTED = "iso-2022-jp"
_SHIFTS = (b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$@", b"\x1b$B")
WITHOUT_ASCII = frozenset({*WIDE, _SHIFTED})  # here the octet of "<" may be part of another sign


def split(window: bytes, charset: str, *, html: bool) -> tuple[bytes, bytes]:
    """Divide a window that was cut by size at the last place that splits neither a character nor, in HTML, a block
    (where one ends in its second half), a tag or a script; what comes next begins with what must be open there.
    """
    decoder = codecs.getincrementaldecoder(codec_of(charset))("replace")
    decoder.decode(window)
    end = len(window) - len(decoder.getstate()[0])
    if end <= 0:
        return window, b""
    if html and charset not in WITHOUT_ASCII:
        return _split_html(window, end)
    return window[:end], _shift_at(window, end) + window[end:] if charset == _SHIFTED else window[end:]


def joint(window: bytes) -> str:
    """Return what stands between the Markdown of a cut window and that of the next: a new block, a blank or nothing."""
    if window.endswith(b">"):
        return "\n\n"
    return " " if window[-1:].isspace() else ""


def _split_html(window: bytes, whole: int) -> tuple[bytes, bytes]:
    end = _end_of_block(window, whole) or _before_open_tag(window, whole)
    opened = opened_at(window, end)
    if opened.unread is not None and opened.unread > 0:
        end = opened.unread
        opened = opened_at(window, end)
    elif opened.unread == 0 and len(window) >= LEAST_WINDOW:
        end = min(end, len(window) - _LONGEST_CLOSER)
        return window[:end], opened.again + window[end:]
    # What is opened again must leave a cut its progress.
    again = opened.again if 2 * len(opened.again) <= end else b""
    return window[:end], again + window[end:]


def _end_of_block(window: bytes, end: int) -> int:
    last = 0
    for found in _END_OF_BLOCK.finditer(window, end // 2, end):
        last = found.end()
    return last


def _before_open_tag(window: bytes, end: int) -> int:
    tag = window.rfind(b"<", max(0, end - LONGEST_TAG), end)
    return tag if tag > 0 and window.find(b">", tag, end) < 0 else end


def _shift_at(window: bytes, end: int) -> bytes:
    """Return the escape sequence that says how the octets after `end` are to be read (RFC 1468)."""
    shifts = ((window.rfind(shift, 0, end), shift) for shift in _SHIFTS)
    at, shift = max(shifts)
    return b"" if at < 0 or shift == _SHIFTS[0] else shift

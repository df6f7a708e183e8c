"""Cuts a body into windows of a tool's largest response, so that a page of any length can be read on from a cut.

The text of a page is the text of its windows one after the other; each window is decoded and converted by itself, and
no more than one is ever held.
"""

from __future__ import annotations

import codecs
import re

from agent_tools.text.charset_names import codec_of

LONGEST_TAG = 4_096
_END_OF_BLOCK = re.compile(
    rb"</(?:p|li|tr|div|h[1-6]|pre|table|ul|ol|dl|dd|dt|section|article|blockquote|figure)\s*>|<br\s*/?>", re.IGNORECASE
)
WITHOUT_ASCII = frozenset({"utf-16le", "utf-16be", "iso-2022-jp"})  # here the octet of "<" may be half of another sign


def split(window: bytes, charset: str, *, html: bool) -> tuple[bytes, bytes]:
    """Divide a window that was cut by size at the last place that splits neither a character nor, in HTML, a block
    (where one ends in its second half) or a tag.
    """
    decoder = codecs.getincrementaldecoder(codec_of(charset))("replace")
    decoder.decode(window)
    end = len(window) - len(decoder.getstate()[0])
    if html and charset not in WITHOUT_ASCII:
        end = _end_of_block(window, end) or _before_open_tag(window, end)
    return (window[:end], window[end:]) if end else (window, b"")


def joint(window: bytes) -> str:
    """Return what stands between the Markdown of a cut window and that of the next: a new block, a blank or nothing."""
    if window.endswith(b">"):
        return "\n\n"
    return " " if window[-1:].isspace() else ""


def _end_of_block(window: bytes, end: int) -> int:
    last = 0
    for found in _END_OF_BLOCK.finditer(window, end // 2, end):
        last = found.end()
    return last


def _before_open_tag(window: bytes, end: int) -> int:
    tag = window.rfind(b"<", max(0, end - LONGEST_TAG), end)
    return tag if tag > 0 and window.find(b">", tag, end) < 0 else end

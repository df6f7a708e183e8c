"""Cutting text where a reader would: no split characters, a word about what is missing, a way to go on."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_SEARCHED = 0.2  # how much of a cut may be given up for a better border
_LONGEST_CLUSTER = 64  # longer runs of combining marks are decoration and may be split
_BORDERS = (
    re.compile(r"\n\s*\n"),
    re.compile(r"\n"),
    re.compile(r"[.!?…]['\")\]]*\s+|[。！？]"),
    re.compile(r"\s+"),
)
_ZWJ = "\u200d"
_FENCE = re.compile(r"^((?:[ >]|[-*+] |\d+[.)] )*)(`{3,}|~{3,})(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Cut:
    """The kept beginning of a text (without any note) and how many characters did not fit."""

    text: str
    dropped: int


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a text; `next_index` is where to go on, None at the end. Positions count code points."""

    text: str
    start: int
    next_index: int | None
    total: int


def cut(text: str, limit: int) -> Cut:
    """Keep at most `limit` characters, ending at a paragraph, line, sentence or word if one ends near."""
    if len(text) <= limit:
        return Cut(text, 0)
    end = _good_end(text, 0, limit) if limit > 0 else 0
    return Cut(text[:end].rstrip(), len(text) - end)


def window(text: str, start: int, length: int) -> Window:
    """Return up to `length` characters from `start`; windows read one after the other give the whole text.

    A start within a character's cluster moves back to its beginning, one beyond the end gives an empty window.
    """
    total = len(text)
    start = _cluster_start(text, min(max(start, 0), total))
    length = max(length, 1)
    if total - start <= length:
        return Window(text[start:], start, None, total)
    end = _good_end(text, start, start + length)
    return Window(text[start:end], start, end, total)


def preview(text: str, head: int, tail: int) -> str:
    """Return the first and the last characters with a line between them that says how many are left out."""
    if len(text) <= head + tail:
        return text
    first = text[: _good_end(text, 0, head)].rstrip() if head > 0 else ""
    begin = len(text) - max(tail, 0)
    while begin < len(text) and not _is_border(text, begin):
        begin += 1
    last = text[begin:].lstrip()
    omitted = len(text) - len(first) - len(last)
    return "\n".join(part for part in (first, f"[… {omitted} characters left out …]", last) if part)


def close_fence(markdown: str) -> str:
    """Close a fenced code block that a cut has left open, so that what follows is not read as code."""
    opened: tuple[str, str] | None = None
    for prefix, fence, rest in _FENCE.findall(markdown):
        if opened is None:
            if "`" not in rest:  # else it is a code span that begins a line (CommonMark 4.5)
                opened = (prefix, fence)
        elif fence[0] == opened[1][0] and len(fence) >= len(opened[1]) and not rest.strip():
            opened = None
    if opened is None:
        return markdown
    indent = re.sub(r"[^\s>]", " ", opened[0])
    return f"{markdown.rstrip()}\n{indent}{opened[1]}"


def _good_end(text: str, start: int, end: int) -> int:
    """Return the best place to end at or before `end`, always after `start`."""
    earliest = end - int((end - start) * _SEARCHED)
    for border in _BORDERS:
        ends = [match.end() for match in border.finditer(text, earliest, end)]
        if ends and ends[-1] > start and _is_border(text, ends[-1]):
            return ends[-1]
    whole = _cluster_start(text, end)
    if whole > start:
        return whole
    furthest = min(start + _LONGEST_CLUSTER + 1, len(text))
    return next((index for index in range(end + 1, furthest) if _is_border(text, index)), furthest)


def _cluster_start(text: str, index: int) -> int:
    for candidate in range(index, max(index - _LONGEST_CLUSTER, -1), -1):
        if _is_border(text, candidate):
            return candidate
    return index


def _is_border(text: str, index: int) -> bool:
    """Tell whether a reader sees a new character at `index` (the greater part of UAX #29, without its tables)."""
    if not 0 < index < len(text):
        return True
    before, after = text[index - 1], text[index]
    if before == "\r" and after == "\n":
        return False
    if after < "\u0300":
        return True
    if _extends(after) or before == _ZWJ or (_is_low(after) and _is_high(before)):
        return False
    if _is_regional(before) and _is_regional(after):
        run = index
        while run > 0 and _is_regional(text[run - 1]):
            run -= 1
        return (index - run) % 2 == 0
    return not ("\u1160" <= after <= "\u11ff" and "\u1100" <= before <= "\u11ff")  # conjoining Hangul


def _extends(char: str) -> bool:
    return (
        unicodedata.category(char) in {"Mn", "Me", "Mc"}
        or char == _ZWJ
        or "\U0001f3fb" <= char <= "\U0001f3ff"  # skin tones
        or "\U000e0020" <= char <= "\U000e007f"  # tags of flags
    )


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _is_high(char: str) -> bool:
    return "\ud800" <= char <= "\udbff"


def _is_low(char: str) -> bool:
    return "\udc00" <= char <= "\udfff"

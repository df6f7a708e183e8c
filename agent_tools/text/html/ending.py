"""Cutting Markdown so that what is left still reads as it did: no open code, no half escape."""

from __future__ import annotations

import re

from agent_tools.text.trim import close_fence, cut

_ESCAPE_OR_TICKS = re.compile(r"\\.|(`+)", re.DOTALL)
_TICKS = re.compile(r"`+")
_HALF_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\$")


def cut_markdown(markdown: str, limit: int) -> str:
    """Return at most about `limit` characters of Markdown written by us; a code block that was open is closed."""
    kept = cut(markdown, limit).text
    closed = close_fence(kept)
    if closed != kept:
        return closed
    start = kept.rfind("\n\n") + 1
    kept = kept[:start] + _without_open_code(kept[start:])
    half = _HALF_ESCAPE.search(kept)
    return (kept[:-1] if half else kept).rstrip()


def _without_open_code(paragraph: str) -> str:
    """Code that is cut in two would be read as text, tags and all."""
    position = 0
    while found := _ESCAPE_OR_TICKS.search(paragraph, position):
        position = found.end()
        if not found[1]:
            continue
        closing = (run for run in _TICKS.finditer(paragraph, position) if len(run[0]) == len(found[1]))
        closed = next(closing, None)
        if closed is None:
            return paragraph[: found.start()]
        position = closed.end()
    return paragraph

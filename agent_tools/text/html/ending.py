"""Cutting Markdown so that what is left still reads as it did: no open code, no half escape."""

from __future__ import annotations

import re

from agent_tools.text.trim import close_fence, cut

_TICKS = re.compile(r"\\.|(`+)", re.DOTALL)
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
    opened: re.Match[str] | None = None
    for found in _TICKS.finditer(paragraph):
        if not found[1]:
            continue
        if opened is None:
            opened = found
        elif len(found[1]) == len(opened[1]):
            opened = None
    return paragraph if opened is None else paragraph[: opened.start()]

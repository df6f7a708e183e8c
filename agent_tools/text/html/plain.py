"""Text of pages that could not be converted: from their tree, or from the raw source as the last resort."""

from __future__ import annotations

import re
from html import unescape

from agent_tools.text.html.escape import collapse, escape
from agent_tools.text.html.page import Page, parse_page
from agent_tools.text.html.rules import BLOCKS, CANONICAL
from agent_tools.text.html.tree import BLOCK_TAGS, DECORATION, HIDDEN, Element, walk

ROUGH_LENGTH = 300_000
_RAW = re.compile(r"<(script|style|template|svg|textarea|title)\b", re.IGNORECASE)
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)")
_ENDS = {
    name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "template", "svg", "textarea", "title")
}


def plain_text(html: str, limit: int) -> str:
    """Return a page's visible text, a line to each block, without any markup."""
    return text_of_page(parse_page(html), limit)


def text_of_page(page: Page, limit: int) -> str:
    """Return a parsed page's text, its title first."""
    lines = [page.title] if page.title else []
    parts: list[str] = []
    size = 0
    for node in walk(page.root, frozenset((HIDDEN, DECORATION))):
        if isinstance(node, Element):
            if node.tag in BLOCK_TAGS or node.tag == "br":
                lines.append("".join(parts))
                parts = []
            parts.append(node.attributes.get("alt") or node.attributes.get("tex") or "")
        else:
            parts.append(node)
            size += len(node)
            if size > limit:
                break
    lines.append("".join(parts))
    collapsed = (collapse(line).strip() for line in lines)
    return "\n".join(line for line in collapsed if line)[:limit]


def rough_text(html: str, limit: int) -> str:
    """Return what stands between the tags of the first ROUGH_LENGTH characters; linear, needs no parser."""
    source = html[:ROUGH_LENGTH]
    parts: list[str] = []
    position = 0
    while position < len(source):
        start = source.find("<", position)
        if start < 0:
            parts.append(source[position:])
            break
        parts.append(source[position:start])
        position, text = _past_markup(source, start)
        parts.append(text)
    lines = (collapse(line).strip() for line in unescape("".join(parts)).split("\n"))
    return "\n".join(line for line in lines if line)[:limit]


def _past_markup(source: str, start: int) -> tuple[int, str]:
    """Return where the markup at `start` ends, and the text that takes its place."""
    if source.startswith("<!--", start):
        return _after(source, "-->", start), " "
    raw = _RAW.match(source, start)
    if raw:
        closing = _ENDS[raw[1].lower()].search(source, start)
        return (_after(source, ">", closing.start()) if closing else len(source)), " "
    tag = _TAG.match(source, start)
    if tag or source[start + 1 : start + 2] in {"!", "?", "/"}:
        name = tag[1].lower() if tag else ""
        breaks = name in BLOCKS or name == "br" or CANONICAL.get(name) in BLOCK_TAGS
        return _after(source, ">", start), "\n" if breaks else ""
    return start + 1, "<"


def _after(source: str, mark: str, start: int) -> int:
    end = source.find(mark, start)
    return len(source) if end < 0 else end + len(mark)


def as_markdown(text: str) -> str:
    """Return plain text as paragraphs of Markdown that say the same."""
    return "\n\n".join(escape(line, line_start=True) for line in text.split("\n") if line)

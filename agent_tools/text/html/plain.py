"""Text of pages that could not be converted: from their tree, or from the raw source as the last resort."""

from __future__ import annotations

import re
from html import unescape

from agent_tools.text.html.escape import collapse, escape
from agent_tools.text.html.page import parse_page
from agent_tools.text.html.rules import BLOCKS, CANONICAL
from agent_tools.text.html.tree import BLOCK_TAGS, DECORATION, HIDDEN, Element

ROUGH_LENGTH = 300_000
_RAW = re.compile(r"<(script|style|template|svg|textarea|title)\b", re.IGNORECASE)
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)")
_ENDS = {
    name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "template", "svg", "textarea", "title")
}


def plain_text(html: str, limit: int) -> str:
    """Return a page's visible text, its title first, a line to each block, without any markup."""
    page = parse_page(html)
    parts = [page.title, "\n"]
    _collect(page.root, parts)
    return _lines("".join(parts), limit)


def _collect(element: Element, parts: list[str]) -> None:
    """Gather the text below an element; recursion is bounded as the tree is."""
    for node in element.children:
        if isinstance(node, str):
            parts.append(node if element.tag == "pre" else collapse(node))
        elif node.tag not in {HIDDEN, DECORATION}:
            edge = "\n" if node.tag in BLOCK_TAGS or node.tag == "br" else ""
            parts += (edge, node.attributes.get("alt") or node.attributes.get("tex") or "")
            _collect(node, parts)
            parts.append(edge)


def _lines(text: str, limit: int) -> str:
    lines = (collapse(line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)[:limit]


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
    return _lines(unescape("".join(parts)), limit)


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

"""HTML to Markdown for a reader that is a language model: content first, links absolute, nothing live."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent_tools.text.html import anchors, blocks, emphasis, inline, lists, tables
from agent_tools.text.html.choose import choose
from agent_tools.text.html.ending import cut_markdown
from agent_tools.text.html.escape import escape
from agent_tools.text.html.page import Page, parse_page
from agent_tools.text.html.writer import Writer

DEFAULT_LIMIT = 500_000
SCRIPTS_NEEDED = "The page builds its text with JavaScript, which is not run here; most of it may be missing."
_SHORT = 500
_NEEDS_SCRIPTS = re.compile(
    r"\b(?:enable|need|requires?|without|turn on|activate)\b[^.]{0,40}\bjavascript\b", re.IGNORECASE
)
_FAMILIES = (anchors, blocks, emphasis, inline, lists, tables)
_HANDLERS = {tag: handler for family in _FAMILIES for tag, handler in family.HANDLERS.items()}


@dataclass(frozen=True, slots=True)
class MarkdownResult:
    """A page as Markdown, its title, notes for the reader, and whether it was longer than the limit."""

    text: str
    title: str = ""
    notes: tuple[str, ...] = ()
    cut: bool = False


def html_to_markdown(
    html: str, base_url: str = "", *, main_content: bool = True, limit: int = DEFAULT_LIMIT
) -> MarkdownResult:
    """Convert a page of any quality to at most about `limit` characters of Markdown.

    Links and images become absolute (`base_url` is the page's address); scripts, styles and hidden elements go, and
    with `main_content` menus, footers, forms and cookie banners too. The title comes first unless a heading repeats
    it. Time is about linear in the page's length, but a page may still be hostile: run it where it can be killed.
    """
    return page_to_markdown(parse_page(html, base_url), main_content=main_content, limit=limit)


def page_to_markdown(page: Page, *, main_content: bool, limit: int) -> MarkdownResult:
    """Convert a page that is parsed already."""
    choice = choose(page.root, main_content=main_content)
    notes = [choice.note] if choice.note else []
    writer = Writer(_HANDLERS, choice.skip, limit)
    text = writer.convert(page.root)
    if len(text) < _SHORT and _NEEDS_SCRIPTS.search(text):
        notes.append(SCRIPTS_NEEDED)
    if page.title and page.title.casefold() not in writer.headings:
        text = f"# {escape(page.title)}\n\n{text}".strip()
    if len(text) <= limit:
        return MarkdownResult(text, page.title, tuple(notes))
    notes.append(f"The page is longer than {limit} characters; the rest is left out.")
    return MarkdownResult(cut_markdown(text, limit), page.title, tuple(notes), cut=True)

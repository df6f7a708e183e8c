"""A page parsed: its title, its addresses, and the tree of what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from agent_tools.text.html.build import Builder
from agent_tools.text.html.links import Links
from agent_tools.text.html.nesting import bound_nesting
from agent_tools.text.html.tree import Element
from agent_tools.text.scrub import safe_text

_TEX_READERS = re.compile(r"mathjax|katex", re.IGNORECASE)
_LONGEST_TITLE = 500


@dataclass(frozen=True, slots=True)
class Page:
    """What a page calls itself and what it says."""

    title: str
    root: Element


def parse_page(html: str, base_url: str = "") -> Page:
    """Parse HTML of any quality; links are resolved against its first base element, else against `base_url`."""
    parser = LexborHTMLParser(bound_nesting(safe_text(html).value))
    base = parser.css_first("base[href]", default=None, strict=False)
    links = Links(base_url, base.attributes.get("href") if base is not None else None)
    builder = Builder(links, formulas=bool(_TEX_READERS.search(html)))
    if parser.root is not None:
        builder.build(parser.root)
    return Page(_title(parser), builder.root)


def _title(parser: LexborHTMLParser) -> str:
    named = parser.css_first("head title", default=None, strict=False)
    title = " ".join(named.text().split()) if named is not None else ""
    if not title:
        shared = parser.css_first('meta[property="og:title"]', default=None, strict=False)
        title = " ".join((shared.attributes.get("content") or "").split()) if shared is not None else ""
    return title[:_LONGEST_TITLE]

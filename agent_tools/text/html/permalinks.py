"""Links to places in the page itself: of use in a browser only, but their text may belong to the page's."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from agent_tools.text.html.leaves import Place
from agent_tools.text.html.tree import names

_CLASSES = names("headerlink header-anchor heading-anchor anchor-link hash-link permalink anchorjs-link direct-link")
_HEADINGS = names("h1 h2 h3 h4 h5 h6 dt caption figcaption summary")
_SYMBOLS = re.compile(r"\W*|(?:permalink|permanent link|link|anchor|copy link)(?: to this .*)?", re.IGNORECASE)
_SKIPS = re.compile(r"(?:skip|jump) to (?:(?:the )?(?:main )?(?:content|navigation|search)|main)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,3}|[a-z*†‡]")
_LONGEST = 60


def unlinked(builder: Place, node: LexborNode, attributes: dict[str, str]) -> bool:
    """Judge a link that leads nowhere outside: True when its content is to be kept without it.

    Marks beside headings and "skip to content" say nothing; a footnote's number gets brackets.
    """
    if not attributes.get("href", "").strip().startswith("#"):
        return True
    text = " ".join(node.text().split())
    if len(text) > _LONGEST:
        return True
    in_heading = not _HEADINGS.isdisjoint(builder.ancestors)
    if _CLASSES.intersection(attributes.get("class", "").split()) or (in_heading and _SYMBOLS.fullmatch(text)):
        return bool(text) and not _SYMBOLS.fullmatch(text)
    if _SKIPS.match(text):
        return False
    if "sup" in builder.ancestors and _NUMBER.fullmatch(text):
        builder.place.add(f"[{text}]")
        return False
    return True

"""Images and media: which of them say something, and in which words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from agent_tools.text.html.formulas import clean_tex
from agent_tools.text.html.links import Links, name_of
from agent_tools.text.html.tree import Element, Node, names

_TINY = names("0 1 0px 1px")
_EMOJI_CLASSES = names("emoji wp-smiley twemoji emoticon smiley")
_FORMULA_CLASSES = names("latex tex wp-katex-eq mathtex")
_FALLBACK = "mwe-math-fallback"  # MediaWiki's image of a formula that stands beside it as MathML
_LETTERS = re.compile(r"[\w]")
_LONGEST_ALT = 1_000


def picture(attributes: Mapping[str, str], links: Links, alternatives: str, *, captioned: bool) -> Node | None:
    """Return an image element, the text that stands for one, or None for what only adorns or tracks.

    `alternatives` is the srcset of an enclosing picture's source; `captioned` says that a figure holds the image.
    """
    classes = attributes.get("class", "").split()
    if _FALLBACK in attributes.get("class", "") or {attributes.get("width"), attributes.get("height")} <= _TINY:
        return None
    stated = attributes.get("alt")
    alt = " ".join((stated or "").split())[:_LONGEST_ALT]
    if alt and _FORMULA_CLASSES.intersection(classes):
        return Element("math", {"tex": clean_tex(alt)})
    if alt and (_EMOJI_CLASSES.intersection(classes) or not _LETTERS.search(alt)):
        return alt
    source = links.image(attributes, alternatives)
    if source is None:
        return f" {alt} " if alt else None
    if not alt:
        if (stated is not None and not captioned) or attributes.get("role") in {"presentation", "none"}:
            return None
        alt = (
            attributes.get("title", "").strip()
            or attributes.get("aria-label", "").strip()
            or name_of(source)
            or "image"
        )
    return Element("img", {"src": source, "alt": alt[:_LONGEST_ALT]})


def medium(tag: str, attributes: Mapping[str, str], sources: list[str], links: Links) -> Element | None:
    """Return a link to a video or a recording; None when it has no address."""
    for address in (attributes.get("src", ""), attributes.get("data-src", ""), *sources):
        target = links.source(address)
        if target:
            title = attributes.get("title", "").strip() or attributes.get("aria-label", "").strip()
            label = f"{tag}: {title}" if title else f"{tag}: {name_of(target) or target}"
            return Element("a", {"href": target}, [label])
    return None

"""What of a page is its content: without the site's chrome, unless hardly anything remains then."""

from __future__ import annotations

from dataclasses import dataclass

from agent_tools.text.html.tree import CHROME, DECORATION, GROUP, HIDDEN, Element, walk, weight

MIN_CHARACTERS = 200
MIN_SHARE = 0.1
MOST_OF_CHROME = 0.5
MOST_OF_DECORATION = 0.8

WHOLE_PAGE = "Little text remained without menus, footers and forms, so the whole page is shown."
HIDDEN_SHOWN = "The page shows no text without its scripts; what it holds in hidden elements is shown."


@dataclass(frozen=True, slots=True)
class Choice:
    """Which wrappers are skipped, and a note where that is not what was asked."""

    skip: frozenset[str]
    note: str = ""


def choose(root: Element, *, main_content: bool) -> Choice:
    """Decide what to show; chrome that holds most of the page, or its only heading, becomes content."""
    unseen = frozenset((HIDDEN,))
    visible = weight(root, unseen)
    if not visible and not _has_pictures(root, unseen):
        return Choice(frozenset(), HIDDEN_SHOWN if weight(root) else "")
    _rehabilitate(root, visible)
    whole = frozenset((HIDDEN, DECORATION))
    if not main_content:
        return Choice(whole)
    main = whole | {CHROME}
    remaining = weight(root, main)
    if remaining >= MIN_CHARACTERS and remaining >= MIN_SHARE * visible:
        return Choice(main)
    return Choice(whole, WHOLE_PAGE if remaining < weight(root, whole) else "")


def _rehabilitate(root: Element, visible: int) -> None:
    unseen = frozenset((HIDDEN,))
    elsewhere = any(_is_h1(node) for node in walk(root, frozenset((HIDDEN, CHROME, DECORATION))))
    for node in walk(root, unseen):
        if not isinstance(node, Element) or node.tag not in {CHROME, DECORATION}:
            continue
        only_heading = node.tag == CHROME and not elsewhere and any(_is_h1(below) for below in walk(node, unseen))
        most = MOST_OF_CHROME if node.tag == CHROME else MOST_OF_DECORATION
        if only_heading or weight(node, unseen) > most * visible:
            node.tag = GROUP


def _is_h1(node: Element | str) -> bool:
    return isinstance(node, Element) and node.tag == "h1"


def _has_pictures(root: Element, skip: frozenset[str]) -> bool:
    return any(isinstance(node, Element) and node.tag in {"img", "math"} for node in walk(root, skip))

"""What of a page is its content: without the site's chrome, unless hardly anything remains then."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from agent_tools.text.html.tree import CHROME, DECORATION, GROUP, HIDDEN, WRAPPERS, Element, weight

MIN_CHARACTERS = 200
MIN_SHARE = 0.1
MOST_OF_CHROME = 0.5
MOST_OF_DECORATION = 0.8

WHOLE_PAGE = "Little text remained without menus, footers and forms, so the whole page is shown."
HIDDEN_SHOWN = "The page shows no text without its scripts; what it holds in hidden elements is shown."

_HIDDEN = frozenset((HIDDEN,))
_WHOLE = frozenset((HIDDEN, DECORATION))
_MAIN = frozenset((HIDDEN, DECORATION, CHROME))


@dataclass(frozen=True, slots=True)
class Choice:
    """Which wrappers are skipped, and a note where that is not what was asked."""

    skip: frozenset[str]
    note: str = ""


@dataclass(slots=True)
class _Measure:
    """How many characters stand inside which wrappers, and what else there is to see."""

    characters: Counter[frozenset[str]] = field(default_factory=Counter)
    wrappers: list[Element] = field(default_factory=list)
    pictures: bool = False
    heading: bool = False  # a heading of the first level outside all wrappers

    def outside(self, skip: frozenset[str]) -> int:
        return sum(count for inside, count in self.characters.items() if skip.isdisjoint(inside))


def choose(root: Element, *, main_content: bool) -> Choice:
    """Decide what to show; chrome that holds most of the page, or its only heading, becomes content."""
    measure = _measured(root)
    visible = measure.outside(_HIDDEN)
    if not visible and not measure.pictures:
        return Choice(frozenset(), HIDDEN_SHOWN if measure.characters.total() else "")
    if _rehabilitate(measure, visible):
        measure = _measured(root)
    if not main_content:
        return Choice(_WHOLE)
    remaining = measure.outside(_MAIN)
    if remaining >= MIN_CHARACTERS and remaining >= MIN_SHARE * visible:
        return Choice(_MAIN)
    return Choice(_WHOLE, WHOLE_PAGE if remaining < measure.outside(_WHOLE) else "")


def _measured(root: Element) -> _Measure:
    measure = _Measure()
    _measure(root, frozenset(), measure)
    return measure


def _measure(element: Element, inside: frozenset[str], measure: _Measure) -> None:
    """Take an element in; recursion is bounded as the tree is."""
    for node in element.children:
        if isinstance(node, str):
            measure.characters[inside] += len("".join(node.split()))
            continue
        if node.tag in WRAPPERS and node.tag != GROUP:
            measure.wrappers.append(node)
            _measure(node, inside | {node.tag}, measure)
            continue
        if node.tag == "math":
            measure.characters[inside] += len(node.attributes["tex"])
        measure.pictures = measure.pictures or (HIDDEN not in inside and node.tag in {"img", "math"})
        measure.heading = measure.heading or (not inside and node.tag == "h1")
        _measure(node, inside, measure)


def _rehabilitate(measure: _Measure, visible: int) -> bool:
    """Turn wrappers that can't be chrome or decoration into groups; tell whether there were such."""
    found = [wrapper for wrapper in measure.wrappers if _is_content(wrapper, visible, headed=measure.heading)]
    for wrapper in found:
        wrapper.tag = GROUP
    return bool(found)


def _is_content(wrapper: Element, visible: int, *, headed: bool) -> bool:
    if wrapper.tag == HIDDEN:
        return False
    if wrapper.tag == CHROME and not headed and _has_heading(wrapper):
        return True
    most = MOST_OF_CHROME if wrapper.tag == CHROME else MOST_OF_DECORATION
    return weight(wrapper, _HIDDEN) > most * visible


def _has_heading(element: Element) -> bool:
    children = (child for child in element.children if isinstance(child, Element) and child.tag != HIDDEN)
    return any(child.tag == "h1" or _has_heading(child) for child in children)

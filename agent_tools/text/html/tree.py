"""The small tree between parser and writer: only what Markdown can say, so that it is safe to recurse into."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

Node: TypeAlias = "Element | str"

# Wrappers around what may or may not be shown; which of them are skipped is decided when the page is known.
HIDDEN, CHROME, DECORATION, GROUP = "hidden", "chrome", "decoration", "group"
WRAPPERS = frozenset((HIDDEN, CHROME, DECORATION, GROUP))


def names(*words: str) -> frozenset[str]:
    """Return the set of names in texts that list them."""
    return frozenset(" ".join(words).split())


BLOCK_TAGS = names("break h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre hr table caption tr td th summary")


@dataclass(slots=True, eq=False)
class Element:
    """An element under its canonical name (b → strong); `blocks` tells that a block stands somewhere inside."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)
    blocks: bool = False

    def add(self, node: Node) -> None:
        """Append a child; neighbouring texts become one."""
        if isinstance(node, str):
            if self.children and isinstance(self.children[-1], str):
                self.children[-1] += node
            else:
                self.children.append(node)
            return
        self.children.append(node)
        self.blocks = self.blocks or node.blocks or node.tag in BLOCK_TAGS


def new_break() -> Element:
    """Return the border between two blocks."""
    return Element("break")


def walk(element: Element, skip: frozenset[str] = frozenset()) -> Iterator[Node]:
    """Yield everything below an element in document order, leaving out elements named in `skip`."""
    stack: list[Node] = list(reversed(element.children))
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
        elif node.tag not in skip:
            yield node
            stack += reversed(node.children)


def weight(element: Element, skip: frozenset[str] = frozenset()) -> int:
    """Return how many characters a reader would see, spaces not counted."""
    texts = (node if isinstance(node, str) else node.attributes.get("tex", "") for node in walk(element, skip))
    return sum(len("".join(text.split())) for text in texts)


def says_something(node: Node) -> bool:
    """Tell whether a reader would see anything of a node."""
    if isinstance(node, str):
        return bool(node.strip())
    return node.tag in {"img", "math"} or any(says_something(child) for child in node.children)

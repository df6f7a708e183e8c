"""The parser's tree to ours, in one walk without recursion: a page may be nested deeper than Python's stack."""

from __future__ import annotations

from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from agent_tools.text.html import code, rules
from agent_tools.text.html.leaves import LEAVES, leaf
from agent_tools.text.html.links import Links
from agent_tools.text.html.permalinks import unlinked
from agent_tools.text.html.tree import BLOCK_TAGS, CHROME, DECORATION, HIDDEN, Element, names, new_break

MAX_DEPTH = 64  # elements that mean something; wrappers cost nothing
MAX_CONTAINERS = 20  # lists and quotations within each other

_KEPT_ATTRIBUTES = names("start reversed value colspan rowspan role title")
_EMPTY_IS_NOTHING = names("strong em del code a sup sub q abbr rt")
_MERGED = names("strong em del")
_MATH_CLASSES = names("math arithmatex tex2jax_process mathjax_process MathJax")


@dataclass(slots=True)
class _Frame:
    """What has to be undone when an element of the page is left."""

    tag: str
    opened: int
    block: bool
    language: str


class Builder:
    """Builds the tree below `root`; `formulas` tells that the page's scripts read TeX in its text."""

    def __init__(self, links: Links, *, formulas: bool = False) -> None:
        self.root = Element("root")
        self.links = links
        self.alternatives = ""
        self._formulas = formulas
        self._open = [self.root]
        self._frames: list[_Frame] = []
        self._containers = 0
        self._code: Element | None = None

    def build(self, start: LexborNode) -> Element:
        """Walk everything from `start` down."""
        node = start
        while True:
            child = node.first_child if self._enter(node) else None
            if child is not None:
                node = child
                continue
            while node.mem_id != start.mem_id and node.next is None:
                parent = node.parent
                if parent is None:
                    return self.root
                node = parent
                self._leave()
            following = node.next
            if node.mem_id == start.mem_id or following is None:
                return self.root
            node = following

    @property
    def ancestors(self) -> list[str]:
        """The names of the page's elements around the present place."""
        return [frame.tag for frame in self._frames]

    @property
    def place(self) -> Element:
        """The element that is being filled."""
        return self._open[-1]

    def _enter(self, node: LexborNode) -> bool:
        """Take in one node; True when its children are to follow, in which case a frame waits for `_leave`."""
        tag = node.tag or "-"
        if tag == "-text":
            self._text(node.text_content or "")
            return False
        if tag[0] == "-":  # a comment, a doctype
            return False
        stated = node.attributes
        attributes = {name: value or "" for name, value in stated.items()} if stated else {}
        if self._code is not None:
            entered = self._enter_code(tag, attributes)
        elif tag in LEAVES:
            if not rules.is_hidden(tag, attributes):
                leaf(self, tag, node, attributes)
            return False
        else:
            entered = self._enter_element(tag, node, attributes)
        if entered and node.first_child is None:
            self._leave()
            return False
        return entered

    def _text(self, text: str) -> None:
        if self._code is None and self._formulas and ("\\" in text or "$" in text):
            from agent_tools.text.html.formulas import split_tex

            for part in split_tex(text):
                self.place.add(part if isinstance(part, str) else formula(*part))
        else:
            self.place.add(text)

    def _enter_code(self, tag: str, attributes: dict[str, str]) -> bool:
        """Inside a block of code only its lines count."""
        if tag == "br":
            self.place.add("\n")
            return False
        dropped = tag in rules.DROPPED or tag in LEAVES or tag == "button"
        if dropped or rules.is_hidden(tag, attributes) or code.is_gutter(attributes):
            return False
        if self._code is not None and not self._code.attributes.get("language"):
            self._code.attributes["language"] = code.language_of(attributes)
        block = tag in rules.BLOCKS or rules.CANONICAL.get(tag) in BLOCK_TAGS
        if block or code.is_line(attributes):
            self._new_line()
        self._frames.append(_Frame(tag, 0, block, ""))
        return True

    def _new_line(self) -> None:
        last = self.place.children[-1] if self.place.children else "\n"
        if isinstance(last, str) and not last.endswith("\n"):
            self.place.add("\n")

    def _enter_element(self, tag: str, node: LexborNode, attributes: dict[str, str]) -> bool:
        if tag in rules.DROPPED or (attributes and self._speaks_twice(tag, node, attributes)):
            return False
        if tag == "noscript" and self._repeats_image(node):
            return False
        element = self._element(tag, node, attributes)
        if element is None and tag == "a" and not unlinked(self, node, attributes):
            return False
        block = tag in rules.BLOCKS or (element is None and rules.CANONICAL.get(tag) in BLOCK_TAGS)
        if block:
            self.place.add(new_break())
        opened = [Element(wrapper) for wrapper in self._wrapper(tag, attributes)]
        if element is not None:
            opened.append(element)
            self._containers += element.tag in rules.CONTAINERS
        self._open += opened
        language = around = self._frames[-1].language if self._frames else ""
        if attributes and tag in rules.BLOCKS:
            language = code.language_around(attributes) or around
        if element is not None and element.tag == "pre":
            element.attributes["language"] = code.language_of(attributes) or around
            self._code = element
        self._frames.append(_Frame(tag, len(opened), block, language))
        return True

    def _wrapper(self, tag: str, attributes: dict[str, str]) -> list[str]:
        if len(self._open) >= MAX_DEPTH or not (attributes or tag in rules.CHROME_TAGS):
            return []
        if rules.is_hidden(tag, attributes):
            return [] if "mathml" in attributes.get("class", "").lower() else [HIDDEN]
        if rules.is_decoration(tag, attributes):
            return [DECORATION]
        return [CHROME] if rules.is_chrome(tag, attributes, lambda: self.ancestors) else []

    def _element(self, tag: str, node: LexborNode, attributes: dict[str, str]) -> Element | None:
        """Return the new element that stands for one of the page, None when only its content counts."""
        canonical = rules.CANONICAL.get(tag)
        if canonical is None or len(self._open) >= MAX_DEPTH:
            return None
        crowded = self._containers >= MAX_CONTAINERS
        if crowded and (canonical in rules.CONTAINERS or (canonical == "li" and self.place.tag not in {"ul", "ol"})):
            return None
        kept = {name: value for name, value in attributes.items() if name in _KEPT_ATTRIBUTES}
        if canonical == "a":
            target = self.links.target(attributes.get("href", ""))
            if target is None:
                return None
            kept = {"href": target, "label": attributes.get("aria-label", "") or attributes.get("title", "")}
        elif canonical == "tr" and node.parent is not None and node.parent.tag == "thead":
            kept["head"] = ""
        return Element(canonical, kept)

    def _speaks_twice(self, tag: str, node: LexborNode, attributes: dict[str, str]) -> bool:
        """Tell whether an element numbers lines or draws a formula; a formula whose source it holds is taken in."""
        if tag == "td" and code.is_gutter(attributes):
            return True
        classes = attributes.get("class", "").split()
        return rules.repeats_formula(classes) or (not _MATH_CLASSES.isdisjoint(classes) and self._delimited(node))

    def _delimited(self, node: LexborNode) -> bool:
        from agent_tools.text.html.formulas import delimited_tex

        found = delimited_tex(node.text())
        if found is not None:
            self.place.add(formula(*found))
        return found is not None

    def _repeats_image(self, node: LexborNode) -> bool:
        """Tell whether a noscript holds but the image that a lazy loader's placeholder before it stands for."""
        images = [child for child in self.place.children if not isinstance(child, str) or child.strip()]
        last = images[-1] if images else None
        return isinstance(last, Element) and last.tag == "img" and not node.text().strip()

    def _leave(self) -> None:
        frame = self._frames.pop()
        if self._code is not None and not frame.opened:
            if frame.block:
                self._new_line()
            return
        for _ in range(frame.opened):
            element = self._open.pop()
            self._containers -= element.tag in rules.CONTAINERS
            if element is self._code:
                self._code = None
            _close(element, self.place)
        if frame.tag == "picture":
            self.alternatives = ""
        if frame.block:
            self.place.add(new_break())


def formula(tex: str, displayed: bool) -> Element:
    """Return the element for a formula."""
    return Element("math", {"tex": tex, **({"display": ""} if displayed else {})})


def _close(element: Element, parent: Element) -> None:
    """Hand a finished element to its parent, unless it says nothing or goes on where the one before it ended."""
    if element.tag in _EMPTY_IS_NOTHING and not any(isinstance(child, Element) for child in element.children):
        text = "".join(child for child in element.children if isinstance(child, str))
        if not text.strip():
            if element.attributes.get("label", "").strip():
                element.children = [element.attributes["label"]]
            else:
                if text:
                    parent.add(" ")
                return
    last = parent.children[-1] if parent.children else None
    if element.tag in _MERGED and isinstance(last, Element) and last.tag == element.tag and not last.blocks:
        for child in element.children:
            last.add(child)
        parent.blocks = parent.blocks or last.blocks
        return
    parent.add(element)

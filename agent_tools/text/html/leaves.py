"""Elements of a page whose children don't count: images, formulas, media, controls, breaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from selectolax.lexbor import LexborNode

from agent_tools.text.html.formulas import clean_tex, tex_of
from agent_tools.text.html.links import Links
from agent_tools.text.html.pictures import medium, picture
from agent_tools.text.html.tree import Element, Node, new_break


class Place(Protocol):
    """What a leaf sees of the builder."""

    links: Links
    alternatives: str

    @property
    def ancestors(self) -> list[str]: ...

    @property
    def place(self) -> Element: ...


def leaf(builder: Place, tag: str, node: LexborNode, attributes: dict[str, str]) -> None:
    """Add what stands for one element."""
    for part in LEAVES[tag](builder, node, attributes):
        builder.place.add(part)


def _image(builder: Place, node: LexborNode, attributes: dict[str, str]) -> list[Node]:
    del node
    captioned = "figure" in builder.ancestors
    found = picture(attributes, builder.links, builder.alternatives, captioned=captioned)
    return [] if found is None else [found]


def _source(builder: Place, node: LexborNode, attributes: dict[str, str]) -> list[Node]:
    del node
    builder.alternatives = builder.alternatives or attributes.get("srcset", "") or attributes.get("data-srcset", "")
    return []


def _medium(builder: Place, node: LexborNode, attributes: dict[str, str]) -> list[Node]:
    sources = [source.attributes.get("src") or "" for source in node.css("source")]
    found = medium(node.tag or "", attributes, sources, builder.links)
    return [] if found is None else [new_break(), found, new_break()]


def _math(builder: Place, node: LexborNode, attributes: dict[str, str]) -> list[Node]:
    del builder
    tex = tex_of(node)
    displayed = {"display": ""} if attributes.get("display") == "block" else {}
    return [Element("math", {"tex": tex, **displayed})] if tex else []


def _script(builder: Place, node: LexborNode, attributes: dict[str, str]) -> list[Node]:
    """MathJax 2 keeps its sources in scripts of a type of their own."""
    del builder
    kind = attributes.get("type", "").lower()
    tex = clean_tex(node.text()) if kind.startswith("math/tex") else ""
    displayed = {"display": ""} if "mode=display" in kind else {}
    return [Element("math", {"tex": tex, **displayed})] if tex else []


def _input(builder: Place, node: LexborNode, attributes: dict[str, str]) -> list[Node]:
    """A box that can be ticked is part of a list's text, every other control is the page's machinery."""
    del node
    if attributes.get("type", "").lower() != "checkbox" or "li" not in builder.ancestors:
        return []
    return ["[x] " if "checked" in attributes else "[ ] "]


def _frame(builder: Place, node: LexborNode, attributes: dict[str, str]) -> list[Node]:
    del node
    target = builder.links.source(attributes.get("src", ""))
    label = attributes.get("title", "") or attributes.get("name", "") or "frame"
    return [new_break(), Element("a", {"href": target}, [label]), new_break()] if target else []


LEAVES: dict[str, Callable[[Place, LexborNode, dict[str, str]], list[Node]]] = {
    "img": _image,
    "source": _source,
    "video": _medium,
    "audio": _medium,
    "math": _math,
    "script": _script,
    "input": _input,
    "frame": _frame,
    "br": lambda *_: [Element("br")],
    "hr": lambda *_: [Element("hr")],
    "wbr": lambda *_: [],
}

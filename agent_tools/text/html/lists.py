"""Lists whose items keep their numbers and everything that is nested in them."""

from __future__ import annotations

import re

from agent_tools.text.html.tree import Element, Node, new_break
from agent_tools.text.html.writer import Aside, Handler, Writer

_LARGEST_NUMBER = 999_999_999  # CommonMark reads nine digits
_OPENINGS = ("```", "> ", "|", "#", "* * *")  # of blocks that can't begin behind a term
_INTEGER = re.compile(r"\s*(-?\d{1,10})")


def write_list(writer: Writer, element: Element) -> None:
    """Write a list; the numbers of an ordered one are those that a browser shows."""
    items = _items(writer, element)
    if writer.lines:
        _write_joined(writer, items)
        return
    number, step = _numbering(element, len(items))
    lines: list[str] = []
    writer.lists += 1
    for item in items:
        number = _integer(item.attributes.get("value", ""), number)
        marker = f"{number}. " if element.tag == "ol" and 0 <= number <= _LARGEST_NUMBER else "- "
        lines += _item(writer.block(item.children), marker)
        number += step
    writer.lists -= 1
    _place(writer, "\n".join(lines))


def write_item(writer: Writer, element: Element) -> None:
    """Write an item that stands in no list as one of a list."""
    if writer.lines:
        _write_joined(writer, [element])
    else:
        _place(writer, "\n".join(_item(writer.block(element.children), "- ")))


def write_definitions(writer: Writer, element: Element) -> None:
    """Write a definition list as a list of terms in bold, each with what is said about it."""
    groups = _groups(writer, element)
    if writer.lines:
        _write_joined(writer, [part for terms, bodies in groups for part in (*terms, *bodies)])
        return
    lines: list[str] = []
    writer.lists += 1
    for terms, bodies in groups:
        named = ", ".join(filter(None, (_term(writer, term) for term in terms)))
        texts = list(filter(None, (writer.block(body.children) for body in bodies)))
        lines += _item(_definition(named, texts), "- ")
    writer.lists -= 1
    _place(writer, "\n".join(lines))


def _items(writer: Writer, element: Element) -> list[Element]:
    """Return a list's items; what stands between them, a nested list by mistake, belongs to the one before."""
    items: list[Element] = []
    astray = False
    for node in writer.content(element.children):
        if isinstance(node, Element) and node.tag == "li":
            items.append(Element("li", node.attributes, list(node.children)))
            astray = False
        elif isinstance(node, Element) and node.tag == "break":
            continue
        elif isinstance(node, Element) or node.strip():
            if not items:
                items.append(Element("li"))
            items[-1].children += [node] if astray else [new_break(), node]
            astray = True
    return items


def _numbering(element: Element, count: int) -> tuple[int, int]:
    if "reversed" in element.attributes:
        return _integer(element.attributes.get("start", ""), count), -1
    return _integer(element.attributes.get("start", ""), 1), 1


def _integer(text: str, default: int) -> int:
    found = _INTEGER.match(text)
    return int(found[1]) if found else default


def _item(text: str, marker: str) -> list[str]:
    if not text:
        return []
    first, *others = text.split("\n")
    indent = " " * len(marker)
    return [f"{marker}{first}", *(f"{indent}{line}" if line else "" for line in others)]


def _groups(writer: Writer, element: Element) -> list[tuple[list[Element], list[Element]]]:
    groups: list[tuple[list[Element], list[Element]]] = []
    for node in writer.content(element.children):
        if isinstance(node, Element) and node.tag == "dt":
            if not groups or groups[-1][1]:
                groups.append(([], []))
            groups[-1][0].append(node)
        elif isinstance(node, Element) and node.tag == "break":
            continue
        elif isinstance(node, Element) or node.strip():
            if not groups:
                groups.append(([], []))
            body = node if isinstance(node, Element) and node.tag == "dd" else Element("dd", {}, [node])
            groups[-1][1].append(body)
    return groups


def _term(writer: Writer, term: Element) -> str:
    shown: list[Node] = list(term.children)
    marked = any(isinstance(node, Element) and node.tag in {"code", "strong", "a", "math"} for node in shown)
    bold: list[Node] = shown if marked else [Element("strong", {}, shown)]
    return writer.line(lambda: writer.write(bold)).text


def _definition(named: str, texts: list[str]) -> str:
    if not named or not texts:
        return named or "\n\n".join(texts)
    if len(texts) > 1:
        return "\n".join([named, *(line for text in texts for line in _item(text, "- "))])
    text = texts[0]
    if text.startswith(("- ", "1. ")):
        return f"{named}\n{text}"
    if text.startswith(_OPENINGS):
        return f"{named}\n\n{text}"
    return f"{named} {text}" if named.rstrip("*").endswith(":") else f"{named}: {text}"


def _write_joined(writer: Writer, items: list[Element]) -> None:
    """Write items on one line."""
    pieces = [writer.line(lambda item=item: writer.write(item.children)) for item in items]  # type: ignore[misc]
    joined = "; ".join(piece.text for piece in pieces if piece.text)
    if joined:
        writer.place(Aside(True, joined, True))


def _place(writer: Writer, text: str) -> None:
    if not text:
        return
    if writer.lists and not writer.start:
        writer.p_p = 1
        writer.br_toggle = ""
    else:
        writer.p()
    writer.o(text)
    writer.p()


HANDLERS: dict[str, Handler] = {
    "ul": write_list,
    "ol": write_list,
    "li": write_item,
    "dl": write_definitions,
}

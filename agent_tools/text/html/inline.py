"""Emphasis, links, images, code, formulas: what stands within a line."""

from __future__ import annotations

import re

from agent_tools.text.html import code
from agent_tools.text.html.escape import clean_code, collapse, escape
from agent_tools.text.html.tree import Element, Node
from agent_tools.text.html.writer import Aside, Handler, Writer

_PLAIN_SUPERSCRIPT = re.compile(r"st|nd|rd|th|er|ers?|re|e|ème|o|os|a|as|tm|sm|[™®©ªº*†‡§¶,.;:]+|\[.*", re.IGNORECASE)
_POWER = re.compile(r"[-+−–]?[\w.,/]+")
_INDEX = re.compile(r"[A-Za-z][\w,]*|[-+−]\w+")


def write_strong(writer: Writer, element: Element) -> None:
    """Write bold text."""
    _emphasize(writer, element, "**")


def write_em(writer: Writer, element: Element) -> None:
    """Write italic text; inside a word only stars are emphasis."""
    joined = writer.last.isalnum() or (writer.following.isalnum() and not _ends_in_space(element))
    _emphasize(writer, element, "*" if joined else "_")


def write_del(writer: Writer, element: Element) -> None:
    """Write struck text."""
    _emphasize(writer, element, "~~")


def _emphasize(writer: Writer, element: Element, mark: str) -> None:
    if element.tag in writer.marks or (element.blocks and not writer.lines) or not _says_something(element):
        writer.write(element.children)
        return
    following = writer.following
    opened, writer.marks = writer.marks, writer.marks | {element.tag}
    piece = writer.inline(lambda: writer.write(element.children))
    writer.marks = opened
    if not piece.text:
        writer.space = writer.space or piece.before or piece.after
        return
    if writer.last == mark[0] and not piece.before:
        piece = Aside(True, piece.text, piece.after)
    writer.place(Aside(piece.before, f"{mark}{piece.text}{mark}", piece.after), following)


def _ends_in_space(element: Element) -> bool:
    last: Node = element
    while isinstance(last, Element) and last.children:
        last = last.children[-1]
    return isinstance(last, str) and last[-1:].isspace()


def write_code(writer: Writer, element: Element) -> None:
    """Write a code span; one that is a link as a whole becomes a link around code."""
    children = list(writer.content(element.children))
    only = children[0] if len(children) == 1 else None
    if isinstance(only, Element) and only.tag == "a" and not writer.labels:
        write_link(writer, Element("a", only.attributes, [Element("code", {}, only.children)]))
        return
    raw = clean_code(writer.text(element))
    text = " ".join(raw.split())
    if not text:
        writer.space = writer.space or bool(raw)
        return
    if writer.cells and "\\|" in text:
        shown = escape(text, cell=True)  # inside a table's code such a bar can't be told from the cell's end
    else:
        shown = code.span(text.replace("|", "\\|") if writer.cells else text)
    before = raw[0].isspace() or writer.last == "`"
    writer.place(Aside(before, shown, raw[-1].isspace()), writer.following)


def write_link(writer: Writer, element: Element) -> None:
    """Write a link; around blocks it moves to the first of them that has a text."""
    if writer.labels:
        writer.write(element.children)
        return
    if element.blocks and not writer.lines:
        writer.write(sink_link(element))
        return
    href, following = element.attributes["href"], writer.following
    writer.labels += 1
    label = writer.line(lambda: writer.write(element.children))
    writer.labels -= 1
    if not label.text:
        writer.space = writer.space or label.before or label.after
        return
    writer.shield_exclamation()
    if writer.text(element).strip() == href and href.startswith(("http://", "https://")):
        writer.place(Aside(label.before, f"<{href}>", label.after), following)
    else:
        writer.place(Aside(label.before, f"[{label.text}]({href})", label.after), following)


def sink_link(link: Element) -> list[Node]:
    """Return the children of a link that holds blocks, with the link around the first heading's or block's text."""
    heading = _first_heading(link)
    nodes, _ = _sunk(link.children, link, heading)
    return nodes


def _first_heading(element: Element) -> Element | None:
    for child in element.children:
        if isinstance(child, Element):
            found = child if child.tag[:1] == "h" and child.tag[1:].isdigit() else _first_heading(child)
            if found is not None:
                return found
    return None


def _sunk(nodes: list[Node], link: Element, heading: Element | None) -> tuple[list[Node], bool]:
    """Move the link down; also tells whether it has found its place."""
    done: list[Node] = []
    run: list[Node] = []
    found = False

    def end_run() -> bool:
        shown = heading is None and not found and any(_says_something(node) for node in run)
        done.extend([Element("a", link.attributes, list(run))] if shown else run)
        run.clear()
        return shown

    for node in nodes:
        if isinstance(node, str) or not (node.blocks or node is heading or node.tag in {"break", "hr", "pre", "table"}):
            run.append(node)
            continue
        found = end_run() or found
        if node is heading:
            done.append(Element(node.tag, node.attributes, [Element("a", link.attributes, node.children)], node.blocks))
            found = True
        elif found or node.tag in {"pre", "table"}:
            done.append(node)
        else:
            below, found = _sunk(node.children, link, heading)
            done.append(Element(node.tag, node.attributes, below, node.blocks))
    found = end_run() or found
    return done, found


def _says_something(node: Node) -> bool:
    if isinstance(node, str):
        return bool(node.strip())
    return node.tag in {"img", "math"} or any(_says_something(child) for child in node.children)


def write_image(writer: Writer, element: Element) -> None:
    """Write an image with its text alternative."""
    alt = escape(collapse(element.attributes["alt"]).strip(), label=True, cell=writer.cells > 0)
    writer.o(f"![{alt}]({element.attributes['src']})")


def write_math(writer: Writer, element: Element) -> None:
    """Write a formula as TeX."""
    tex = collapse(element.attributes["tex"]).strip()
    if writer.cells:
        tex = tex.replace("\\|", "\\Vert ").replace("|", "\\vert ")
    if not tex:
        return
    if "display" in element.attributes and not writer.lines:
        writer.place_block(f"$${tex}$$")
    else:
        writer.o(f"${tex}$")


def write_superscript(writer: Writer, element: Element) -> None:
    """Write powers so that they stay powers (10^6), ordinals and references as they are."""
    _write_script(writer, element, "^", _POWER, _PLAIN_SUPERSCRIPT)


def write_subscript(writer: Writer, element: Element) -> None:
    """Write indices with an underscore where they are letters; H2O needs none."""
    _write_script(writer, element, "_" if writer.last.isalnum() else r"\_", _INDEX, None)


def _write_script(
    writer: Writer, element: Element, mark: str, short: re.Pattern[str], plain: re.Pattern[str] | None
) -> None:
    raw = writer.text(element)
    text = raw.strip()
    attached = bool(writer.last) and not raw[:1].isspace() and not element.blocks
    if not attached or (plain and plain.fullmatch(text)) or not short.fullmatch(text):
        writer.write(element.children)
        return
    piece = writer.inline(lambda: writer.write(element.children))
    writer.place(Aside(False, f"{mark}{piece.text}", piece.after))


def write_quote(writer: Writer, element: Element) -> None:
    """Write a quotation within a line."""
    if element.blocks and not writer.lines:
        writer.write(element.children)
        return
    writer.quotes += 1
    piece = writer.inline(lambda: writer.write(element.children))
    writer.quotes -= 1
    mark = "'" if writer.quotes % 2 else '"'
    if piece.text:
        writer.place(Aside(piece.before, f"{mark}{piece.text}{mark}", piece.after))


def write_ruby(writer: Writer, element: Element) -> None:
    """Write a reading in parentheses behind what it annotates."""
    piece = writer.line(lambda: writer.write(element.children))
    if piece.text:
        opening = "\\(" if writer.last == "]" else "("
        writer.o(f"{opening}{piece.text})")


def write_abbreviation(writer: Writer, element: Element) -> None:
    """Write an abbreviation, the first time with what it stands for."""
    writer.write(element.children)
    title = " ".join(element.attributes.get("title", "").split())
    text = writer.text(element).strip()
    if not title or not text or text in writer.explained or title.lower() == text.lower():
        return
    writer.explained.add(text)
    shown = escape(collapse(title), label=writer.labels > 0, cell=writer.cells > 0)
    writer.place(Aside(True, f"({shown})", writer.space))


HANDLERS: dict[str, Handler] = {
    "strong": write_strong,
    "em": write_em,
    "del": write_del,
    "code": write_code,
    "a": write_link,
    "img": write_image,
    "math": write_math,
    "sup": write_superscript,
    "sub": write_subscript,
    "q": write_quote,
    "rt": write_ruby,
    "abbr": write_abbreviation,
}

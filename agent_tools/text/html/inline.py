"""Code, images, formulas, indices, quotations: what stands within a line."""

from __future__ import annotations

import re

from agent_tools.text.html import code
from agent_tools.text.html.anchors import write_link
from agent_tools.text.html.escape import clean_code, collapse, escape
from agent_tools.text.html.tree import Element
from agent_tools.text.html.writer import Aside, Handler, Writer

_PLAIN_SUPERSCRIPT = re.compile(r"st|nd|rd|th|er|ers?|re|e|ème|o|os|a|as|tm|sm|[™®©ªº*†‡§¶,.;:]+|\[.*", re.IGNORECASE)
_POWER = re.compile(r"[-+−–]?[\w.,/]+")
_INDEX = re.compile(r"[A-Za-z][\w,]*|[-+−]\w+")


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
    "code": write_code,
    "img": write_image,
    "math": write_math,
    "sup": write_superscript,
    "sub": write_subscript,
    "q": write_quote,
    "rt": write_ruby,
    "abbr": write_abbreviation,
}

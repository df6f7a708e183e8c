"""Bold, italic and struck text, marked where CommonMark sees the marks."""

from __future__ import annotations

from agent_tools.text.html.tree import BLOCK_TAGS, Element, Node, says_something
from agent_tools.text.html.writer import Aside, Handler, Writer


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
    if element.tag in writer.marks or not says_something(element):
        writer.write(element.children)
        return
    if element.blocks and not writer.lines:
        writer.write(_paragraph_by_paragraph(element))
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


def _paragraph_by_paragraph(element: Element) -> list[Node]:
    """Return an element around paragraphs as one inside each; around other blocks it is nothing."""
    nodes: list[Node] = []
    for child in element.children:
        if isinstance(child, Element) and child.blocks:
            return element.children
        if isinstance(child, Element) and child.tag in BLOCK_TAGS:
            if child.tag != "break":
                return element.children
            nodes.append(child)
        elif nodes and isinstance(nodes[-1], Element) and nodes[-1].tag == element.tag:
            nodes[-1].children.append(child)
        else:
            nodes.append(Element(element.tag, {}, [child]))
    return nodes


def _ends_in_space(element: Element) -> bool:
    last: Node = element
    while isinstance(last, Element) and last.children:
        last = last.children[-1]
    return isinstance(last, str) and last[-1:].isspace()


HANDLERS: dict[str, Handler] = {"strong": write_strong, "em": write_em, "del": write_del}

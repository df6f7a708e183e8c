"""Headings, paragraphs, rules, quotations, code blocks: what stands on lines of its own."""

from __future__ import annotations

from agent_tools.text.html import code
from agent_tools.text.html.escape import clean_code
from agent_tools.text.html.tree import Element
from agent_tools.text.html.writer import Aside, Handler, Writer


def write_break(writer: Writer, element: Element) -> None:
    """End the block."""
    del element
    writer.p()


def write_line_break(writer: Writer, element: Element) -> None:
    """Begin a new line."""
    del element
    writer.line_break()


def write_heading(writer: Writer, element: Element) -> None:
    """Write a heading on one line, and remember those of the first level."""
    piece = writer.line(lambda: writer.write(element.children))
    if not piece.text:
        return
    if element.tag == "h1":
        writer.headings.add(" ".join(writer.text(element).split()).casefold())
    if writer.lines:
        writer.place(Aside(True, piece.text, True))
        return
    writer.handle_starttag(element.tag, [])
    writer.o(f"{piece.text[:-1]}\\#" if piece.text.endswith(" #") else piece.text)
    writer.handle_endtag(element.tag)


def write_rule(writer: Writer, element: Element) -> None:
    """Write a thematic break."""
    del element
    if not writer.lines:
        writer.handle_starttag("hr", [])


def write_quotation(writer: Writer, element: Element) -> None:
    """Write a block quotation."""
    if writer.lines:
        _write_line(writer, element)
        return
    lines = writer.block(element.children).split("\n")
    if lines != [""]:
        writer.place_block(
            "\n".join(f"> {line}".rstrip() if not line.endswith("  ") else f"> {line}" for line in lines)
        )


def write_code_block(writer: Writer, element: Element) -> None:
    """Write fenced code."""
    text = writer.text(element)
    if not writer.lines:
        writer.place_block(code.fence(text, element.attributes.get("language", "")))
        return
    for line in clean_code(text).split("\n"):
        if line.strip():
            writer.space = True
            writer.write_element(Element("code", {}, [line.strip()]))
            writer.space = True


def write_summary(writer: Writer, element: Element) -> None:
    """Write what a closed disclosure shows as a paragraph in bold."""
    if writer.lines or element.blocks:
        _write_line(writer, element)
        return
    writer.p()
    writer.write_element(Element("strong", {}, element.children))
    writer.p()


def _write_line(writer: Writer, element: Element) -> None:
    writer.p()
    writer.write(element.children)
    writer.p()


HANDLERS: dict[str, Handler] = {
    "break": write_break,
    "br": write_line_break,
    "hr": write_rule,
    "blockquote": write_quotation,
    "pre": write_code_block,
    "summary": write_summary,
    **dict.fromkeys(("caption", "dt", "dd"), _write_line),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), write_heading),
}

"""Links: on one line, around what can be a label, never around nothing."""

from __future__ import annotations

from agent_tools.text.html.tree import Element, Node, says_something
from agent_tools.text.html.writer import Aside, Handler, Writer


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
        shown = heading is None and not found and any(says_something(node) for node in run)
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


HANDLERS: dict[str, Handler] = {"a": write_link}

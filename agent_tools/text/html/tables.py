"""Tables of data as GFM tables; tables that only arrange a page, as the blocks that they arrange."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from agent_tools.text.html.tree import Element, Node, walk
from agent_tools.text.html.writer import Aside, Handler, Writer

MAX_SPAN = 50
MAX_COLUMNS = 100
_INTEGER = re.compile(r"\s*(\d{1,5})")
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


@dataclass(slots=True)
class _Row:
    cells: list[Element]
    head: bool = False


@dataclass(slots=True)
class _Grid:
    """Rows of equal length, spans filled with empty cells."""

    rows: list[list[str]] = field(default_factory=list)
    head: bool = False


def write_table(writer: Writer, element: Element) -> None:
    """Write a table, its caption before it."""
    captions, rows = _parts(writer, element)
    if writer.lines:
        _write_joined(writer, rows)
        return
    for caption in captions:
        writer.write_element(caption)
    if _is_layout(element, rows):
        for row in rows:
            _write_arranged(writer, row)
    else:
        writer.place_block(_markdown(_grid(writer, rows)))


def _parts(writer: Writer, element: Element) -> tuple[list[Element], list[_Row]]:
    captions: list[Element] = []
    rows: list[_Row] = []
    for node in writer.content(element.children):
        if isinstance(node, str) or node.tag == "break":
            continue
        if node.tag == "caption":
            captions.append(node)
        elif node.tag == "tr":
            rows.append(_Row(_cells(writer, node), "head" in node.attributes))
        else:
            rows.append(_Row([node if node.tag in {"td", "th"} else Element("td", {}, [node], node.blocks)]))
    return captions, [row for row in rows if row.cells]


def _cells(writer: Writer, row: Element) -> list[Element]:
    nodes = writer.content(row.children)
    return [node for node in nodes if isinstance(node, Element) and node.tag in {"td", "th"}]


def _is_layout(element: Element, rows: list[_Row]) -> bool:
    single = len(rows) <= 1 and all(len(row.cells) <= 1 for row in rows)
    if single or element.attributes.get("role", "").lower() in {"presentation", "none"}:
        return True
    if any(row.head for row in rows) or any(cell.tag == "th" for row in rows for cell in row.cells):
        return False
    cells = [cell for row in rows for cell in row.cells if cell.blocks]
    inside = {node.tag for cell in cells for node in walk(cell) if isinstance(node, Element)}
    return bool(inside & (_HEADINGS | {"table", "pre"})) or (bool(cells) and all(len(row.cells) == 1 for row in rows))


def _write_arranged(writer: Writer, row: _Row) -> None:
    writer.p()
    for cell in row.cells:
        if cell.blocks:
            writer.p()
            writer.write(cell.children)
            writer.p()
        else:
            writer.space = True
            writer.write(cell.children)
            writer.space = True
    writer.p()


def _grid(writer: Writer, rows: list[_Row]) -> _Grid:
    grid = _Grid(head=bool(rows) and (rows[0].head or all(cell.tag == "th" for cell in rows[0].cells)))
    waiting: dict[int, int] = {}  # column → further rows that a cell above reaches into
    for index, row in enumerate(rows):
        line: list[str] = []
        following: dict[int, int] = {column: left - 1 for column, left in waiting.items() if left > 1}
        for cell in row.cells:
            while len(line) in waiting:
                line.append("")
            reach = min(_span(cell, "rowspan") or len(rows), len(rows) - index) - 1
            for offset in range(min(max(_span(cell, "colspan"), 1), MAX_SPAN)):
                if reach > 0:
                    following[len(line)] = reach
                line.append("" if offset else _cell(writer, cell))
        grid.rows.append(_bounded(line))
        waiting = following
    return grid


def _span(cell: Element, name: str) -> int:
    found = _INTEGER.match(cell.attributes.get(name, "1"))
    return int(found[1]) if found else 1


def _cell(writer: Writer, cell: Element) -> str:
    writer.cells += 1
    text = writer.line(lambda: writer.write(cell.children)).text
    writer.cells -= 1
    return text


def _bounded(line: list[str]) -> list[str]:
    while line and not line[-1]:
        del line[-1]
    if len(line) <= MAX_COLUMNS:
        return line
    return [*line[: MAX_COLUMNS - 1], " ".join(filter(None, line[MAX_COLUMNS - 1 :]))]


def _markdown(grid: _Grid) -> str:
    width = max((len(row) for row in grid.rows), default=0)
    rows = [[*row, *[""] * (width - len(row))] for row in grid.rows]
    kept = [column for column in range(width) if any(row[column] for row in rows)]
    if not kept:
        return ""
    head = rows.pop(0) if grid.head else [""] * width
    lines = [[row[column] for column in kept] for row in (head, *(row for row in rows if any(row)))]
    lines.insert(1, ["---"] * len(kept))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _write_joined(writer: Writer, rows: list[_Row]) -> None:
    """Write a table within a line: its rows one after the other."""
    lines = [" ".join(filter(None, (_joined(writer, cell.children) for cell in row.cells))) for row in rows]
    joined = "; ".join(filter(None, lines))
    if joined:
        writer.place(Aside(True, joined, True))


def _joined(writer: Writer, nodes: list[Node]) -> str:
    return writer.line(lambda: writer.write(nodes)).text


HANDLERS: dict[str, Handler] = {"table": write_table}

"""The cells of a Jupyter notebook as text (nbformat 4; 3 is read, too)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

LONGEST_OUTPUT = 4_000


def notebook_text(text: str) -> str | None:
    """Return the cells with their kinds, sources and textual outputs; none where this is no notebook."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    cells = found.get("cells")
    if cells is None and isinstance(found.get("worksheets"), list):
        cells = [cell for sheet in found["worksheets"] if isinstance(sheet, dict) for cell in _list(sheet, "cells")]
    if not isinstance(cells, list):
        return None
    parts: list[str] = []
    for number, cell in enumerate(cells, 1):
        if isinstance(cell, dict):
            parts.append(f"--- cell {number} of {len(cells)}: {cell.get('cell_type', 'unknown')} ---")
            parts.append(_joined(cell.get("source", cell.get("input", ""))))
            parts.extend(_outputs(cell))
    return "\n".join(parts) or "[This notebook has no cells.]"


def _outputs(cell: dict[str, Any]) -> Iterator[str]:
    for output in _list(cell, "outputs"):
        if not isinstance(output, dict):
            continue
        data = output.get("data", output)
        if "ename" in output:
            text = f"{output.get('ename')}: {output.get('evalue')}"
        elif "text" in output:
            text = _joined(output["text"])
        elif isinstance(data, dict) and "text/plain" in data:
            text = _joined(data["text/plain"])
        else:
            text = ""
        pictures = [name for name in data if str(name).startswith("image/")] if isinstance(data, dict) else []
        if text:
            yield f"--- output ---\n{_shortened(text)}"
        for name in pictures:
            yield f"[{name}; not shown]"


def _shortened(text: str) -> str:
    if len(text) <= LONGEST_OUTPUT:
        return text
    return f"{text[:LONGEST_OUTPUT]}\n[{len(text) - LONGEST_OUTPUT:,} more characters of this output]"


def _joined(source: Any) -> str:
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""


def _list(holder: dict[str, Any], key: str) -> list[Any]:
    found = holder.get(key)
    return found if isinstance(found, list) else []

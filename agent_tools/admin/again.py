"""Running a logged call again: its input, less what the log had masked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from agent_tools.admin.tool_pages import may_see
from agent_tools.contract.schemas import MISSING
from agent_tools.models import AgentTool, AgentToolLog
from agent_tools.selectors.identifiers import row_id
from agent_tools.text.masking import MASK
from agent_tools.text.striking import REMOVED

MASKS = (REMOVED, MASK)


@dataclass(frozen=True, slots=True)
class Again:
    """The input to start from (none: nothing), the log row it is from, and what has to be typed anew."""

    values: object = None
    log_id: int | None = None
    masked: tuple[str, ...] = ()
    missing: bool = False
    other_tool: str = ""


def again_of(request: HttpRequest, tool: AgentTool) -> Again:
    """Return what `?from_log=<id>` asks for; a row the person may not see counts as missing."""
    wanted = request.GET.get("from_log", "")
    if not wanted:
        return Again()
    rows = AgentToolLog.objects.only("id", "input", "tool_id", "tool_slug")
    row = rows.filter(pk=row_id(wanted) or 0).first() if may_see(request, AgentToolLog) else None
    if row is None:
        return Again(missing=True)
    masked: list[str] = []
    values = _without_masked(row.input, (), masked)
    other = row.tool_slug if row.tool_id != tool.pk else ""
    return Again({} if values is None else values, row.pk, tuple(masked), other_tool=other)


def _without_masked(value: Any, path: tuple[str, ...], masked: list[str]) -> Any:
    if isinstance(value, Mapping):
        found = {key: _without_masked(item, (*path, str(key)), masked) for key, item in value.items()}
        return {key: item for key, item in found.items() if item is not MISSING}
    if isinstance(value, list):
        found_items = [_without_masked(item, (*path, str(at)), masked) for at, item in enumerate(value)]
        return [item for item in found_items if item is not MISSING]
    if isinstance(value, str) and any(mark in value for mark in MASKS):
        masked.append(".".join(path))
        return MISSING
    return value

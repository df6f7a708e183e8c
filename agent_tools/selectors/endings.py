"""How calls ended, as a model is told of it: for whoever takes up a run that was interrupted."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from agent_tools.models import AgentToolLog
from agent_tools.models.log import LogStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEnding:
    """The row of one call. `content` is the whole text given to the model, empty while the call is `open`."""

    call_id: uuid.UUID
    name: str
    open: bool
    is_error: bool
    content: str
    metadata: Mapping[str, Any]


def endings_by_id(call_ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, CallEnding]:
    """Return the rows of these calls; a call that was never taken up has none."""
    return {row.call_id: _ending(row) for row in AgentToolLog.objects.filter(call_id__in=list(call_ids))}


def _ending(row: AgentToolLog) -> CallEnding:
    structured = {} if row.output is None or isinstance(row.output, str) else {"data": row.output}
    about = {"status": row.status, "reason": row.reason, "duration_ms": row.duration_ms}
    return CallEnding(
        call_id=row.call_id,
        name=row.tool_slug,
        open=row.status == LogStatus.RUNNING,
        is_error=row.status != LogStatus.SUCCESS,
        content=row.content,
        metadata={**row.metadata, **structured, **about},
    )

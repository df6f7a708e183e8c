"""What remains to be done for calls whose process ended while they ran."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable
from datetime import datetime

from agent_tools.contract.calls import ToolCall
from agent_tools.contract.context import Scope
from agent_tools.models import AgentToolLog
from agent_tools.models.log import LogStatus
from agent_tools.pipeline import wording
from agent_tools.pipeline.failures import Catching
from agent_tools.pipeline.prepare import prepare
from agent_tools.pipeline.single import is_read_only
from agent_tools.selectors.tools import tools_in_set


def recover_interrupted(
    *,
    session_id: uuid.UUID | None = None,
    call_ids: Collection[uuid.UUID] | None = None,
    started_before: datetime | None = None,
) -> list[uuid.UUID]:
    """Close the rows that are still `running`, as interrupted, and return their call ids, oldest first.

    Whoever calls knows that the process is dead; the filters narrow what is closed, and at least one is required.
    """
    if session_id is None and call_ids is None and started_before is None:
        raise ValueError("Name the session, the calls or the time: without, calls that still run would be closed.")
    rows = AgentToolLog.objects.filter(status=LogStatus.RUNNING)
    if session_id is not None:
        rows = rows.filter(session_id=session_id)
    if call_ids is not None:
        rows = rows.filter(call_id__in=call_ids)
    if started_before is not None:
        rows = rows.filter(created_at__lt=started_before)
    result = wording.interrupted()
    closed: list[uuid.UUID] = []
    for call_id in list(rows.order_by("id").values_list("call_id", flat=True)):
        changed = AgentToolLog.objects.filter(call_id=call_id, status=LogStatus.RUNNING).update(
            status=result.status.value,
            reason=result.reason,
            error_message=result.error or "",
            content=result.content,
            metadata={"ran": result.ran.value},
        )
        closed += [call_id] if changed else []
    return closed


def repeatable_calls(calls: Iterable[ToolCall], scope: Scope) -> frozenset[uuid.UUID]:
    """Return the ids of the calls that change nothing, so that they may be run again after a crash."""
    batch = prepare(calls, scope, tools_in_set(scope.tools))
    found: set[uuid.UUID] = set()
    for running in batch:
        with Catching(running):
            if running.open and is_read_only(running):
                found.add(running.call.id)
    return frozenset(found)

"""What became of calls: for a page that shows a session's work."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F
from django.db.models.fields.json import KT
from django.db.models.functions import Left

from agent_tools.models import AgentToolLog
from agent_tools.workspace.models import KeptOutput

PREVIEW = 2_000
LONGEST_DIFF = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """A call as its row tells it, secrets masked. `beginning` is the start of the text given to the model, `more` says
    that there is more of it; `status` is one of the row's, `duration_ms` none while it runs; `diff` is the beginning of
    the unified diff that its structured output holds, if it does.
    """

    call_id: uuid.UUID
    log_id: int
    name: str
    input: Any
    status: str
    reason: str
    error: str
    beginning: str
    more: bool
    duration_ms: int | None
    created_at: datetime
    diff: str = ""


def calls_by_id(call_ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, CallRecord]:
    """Return what is known of these calls."""
    wanted = list(call_ids)
    if not wanted:
        return {}
    kept = set(KeptOutput.objects.filter(call_id__in=wanted).values_list("call_id", flat=True))
    return {
        record.call_id: record for record in _records(AgentToolLog.objects.filter(call_id__in=wanted), PREVIEW, kept)
    }


def call_of_session(session_id: uuid.UUID, call_id: uuid.UUID) -> CallRecord | None:
    """Return one call of the session."""
    rows = AgentToolLog.objects.filter(session_id=session_id, call_id=call_id)
    return next(iter(_records(rows, PREVIEW, frozenset())), None)


def whole_output(session_id: uuid.UUID, call_id: uuid.UUID) -> str | None:
    """Return all that a call of the session gave out: what was kept where the model got a part, else its text."""
    for rows in (KeptOutput.objects, AgentToolLog.objects):
        found = rows.filter(session_id=session_id, call_id=call_id).values_list("content", flat=True).first()
        if found is not None:
            return str(found)
    return None


def _records(rows: Any, preview: int, kept: frozenset[uuid.UUID] | set[uuid.UUID]) -> list[CallRecord]:
    fields = rows.annotate(
        beginning=Left("content", preview + 1),
        name=F("tool_slug"),
        error=F("error_message"),
        diff=Left(KT("output__diff"), LONGEST_DIFF),
    ).values(
        "call_id", "id", "name", "input", "status", "reason", "error", "beginning", "duration_ms", "created_at", "diff"
    )
    return [
        CallRecord(
            call_id=row["call_id"],
            log_id=row["id"],
            name=row["name"],
            input=row["input"],
            status=row["status"],
            reason=row["reason"],
            error=row["error"],
            beginning=row["beginning"][:preview],
            more=len(row["beginning"]) > preview or row["call_id"] in kept,
            duration_ms=row["duration_ms"],
            created_at=row["created_at"],
            diff=row["diff"] or "",
        )
        for row in fields
    ]

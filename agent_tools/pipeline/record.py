"""The rows of calls: opened together before anything is judged or run, each closed once with its terminal state."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Any

from django.db import Error as DatabaseTrouble

from agent_tools.conf import conf
from agent_tools.models import AgentToolLog
from agent_tools.models.log import LogStatus
from agent_tools.pipeline.running import Running
from agent_tools.pipeline.scrub import safe_text

logger = logging.getLogger(__name__)
LONGEST_SLUG = 100
LONGEST_REASON = 40


def open_rows(batch: Sequence[Running]) -> None:
    """Write one row a call, all in one query."""
    AgentToolLog.objects.bulk_create([_row(running) for running in batch])


def close_row(running: Running) -> None:
    """Write the end of a call into its row, unless something else closed it first. Trouble with the database is
    logged: the result still goes back, and recovery closes the row.
    """
    outcome = running.outcome()
    result = outcome.result
    try:
        closed = AgentToolLog.objects.filter(call_id=running.call.id, status=LogStatus.RUNNING).update(
            status=result.status.value,
            reason=result.reason[:LONGEST_REASON],
            error_message=result.error or "",
            output=bounded(result.data, conf.log_output_bytes),
            content=result.content,
            metadata={**result.metadata, "ran": result.ran.value},
            duration_ms=outcome.duration_ms,
        )
    except DatabaseTrouble:
        logger.exception("The row of call %s could not be closed.", running.call.id)
    else:
        if not closed:
            logger.warning("The row of call %s was closed by something else.", running.call.id)


def bounded(data: Any, limit: int) -> Any:
    """Return the data, or, where it takes more than `limit` bytes as JSON, an object that says so:
    `{"truncated": true, "bytes": its size, "start": the beginning of its JSON text}`.
    """
    text = json.dumps(data, ensure_ascii=False)
    size = len(text.encode())
    if size <= limit:
        return data
    return {"truncated": True, "bytes": size, "start": text.encode()[:limit].decode(errors="ignore")}


def _row(running: Running) -> AgentToolLog:
    call, scope = running.call, running.scope
    return AgentToolLog(
        call_id=call.id,
        session_id=scope.session_id,
        tool_id=running.tool.pk if running.tool else None,
        tool_slug=safe_text(call.name)[:LONGEST_SLUG],
        user_id=scope.user_id,
        door=scope.door.value,
        provider_call_id=safe_text(call.provider_id or ""),
        input=running.sent,
    )

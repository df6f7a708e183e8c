"""The rows of calls: opened together before anything is judged or run, each closed once with its terminal state."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Collection, Sequence
from typing import Any

from django.db import Error as DatabaseTrouble

from agent_tools.conf import conf
from agent_tools.models import AgentToolLog
from agent_tools.models.log import LogStatus
from agent_tools.pipeline.database import in_database
from agent_tools.pipeline.running import Running
from agent_tools.text.masking import mask_credentials, mask_json, mask_text
from agent_tools.text.scrub import safe_text

logger = logging.getLogger(__name__)
LONGEST_SLUG = 100
LONGEST_REASON = 40


async def open_rows(batch: Sequence[Running], resumed: Collection[uuid.UUID] = ()) -> None:
    """Write one row a call, all in one query; `resumed` calls have theirs already. Raises Django's `Error`."""
    rows = [_row(running) for running in batch if running.call.id not in resumed]
    if rows:
        await in_database(AgentToolLog.objects.bulk_create, rows)


async def close_row(running: Running) -> None:
    """Write the end of a call into its row, unless something else closed it first.

    Trouble with the database is logged: the result still goes back, and recovery closes the row.
    """
    if running.closed:
        return
    try:
        closed = await in_database(_close, running)
    except DatabaseTrouble:
        logger.exception("The row of call %s could not be closed.", running.call.id)
    else:
        if not closed:
            logger.warning("The row of call %s had been closed by something else.", running.call.id)
    running.closed = True


def bounded(data: Any, limit: int) -> Any:
    """Return the data, or, where it takes more than `limit` bytes as JSON, an object that says so:
    `{"truncated": true, "bytes": its size, "start": the beginning of its JSON text}`.
    """
    text = json.dumps(data, ensure_ascii=False).encode()
    if len(text) <= limit:
        return data
    return {"truncated": True, "bytes": len(text), "start": text[:limit].decode(errors="ignore")}


def _row(running: Running) -> AgentToolLog:
    call, scope = running.call, running.scope
    return AgentToolLog(
        call_id=call.id,
        session_id=scope.session_id,
        tool_id=running.tool.pk if running.tool else None,
        tool_slug=safe_text(call.name).value[:LONGEST_SLUG],
        user_id=scope.user_id,
        door=scope.door.value,
        provider_call_id=safe_text(call.provider_id or "").value,
        input=mask_json(running.sent),
    )


def _close(running: Running) -> int:
    outcome = running.outcome()
    result = outcome.result
    return AgentToolLog.objects.filter(call_id=running.call.id, status=LogStatus.RUNNING).update(
        status=result.status.value,
        reason=result.reason[:LONGEST_REASON],
        error_message=mask_text(result.error or ""),
        output=bounded(mask_json(result.data), conf.log_output_bytes),
        content=mask_credentials(result.content),
        metadata={**mask_json(dict(result.metadata)), **_beside(running), "ran": result.ran.value},
        duration_ms=outcome.duration_ms,
    )


def _beside(running: Running) -> dict[str, Any]:
    """Return what else the record has to say: which hooks changed the arguments, and into what."""
    if not running.rewritten_by or running.request is None:
        return {}
    return {"arguments_changed_by": running.rewritten_by, "final_input": mask_json(running.request.arguments)}

"""Rows of the log for tests."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.utils import timezone

from agent_tools.models import AgentTool, AgentToolLog


def log(tool: AgentTool | None = None, *, age: timedelta | None = None, **fields: Any) -> AgentToolLog:
    """Store one call, of a tool or of an unknown name; `age` is how long ago it was."""
    named: dict[str, Any] = {
        "session_id": uuid.uuid4(),
        "tool_id": tool.pk if tool else None,
        "tool_slug": tool.slug if tool else "no_such_tool",
        "door": "chat",
        "status": "success",
        "duration_ms": 10,
    }
    row = AgentToolLog.objects.create(**{**named, **fields})
    if age is not None:
        row.created_at = timezone.now() - age
        row.save(update_fields=["created_at"])
    return row

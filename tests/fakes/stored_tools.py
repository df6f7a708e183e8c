"""Writes rows past every check, as an older version or a hand in the database may have left them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from agent_tools.models import AgentTool


def store(tool: AgentTool, **fields: Any) -> None:
    """Change a tool's row as it is, unchecked."""
    QuerySet(AgentTool).filter(pk=tool.pk).update(**fields)

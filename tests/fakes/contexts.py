"""The surroundings of one call, for running an executor by itself."""

from __future__ import annotations

import uuid
from typing import Any

from agent_tools.contract.context import ToolContext
from agent_tools.contract.ports import Ports


class MemoryState:
    """Session state that lives as long as the test."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    async def get(self, key: str, default: Any = None) -> Any:
        return self.values.get(key, default)

    async def set(self, key: str, value: Any) -> None:
        self.values[key] = value

    async def delete(self, key: str) -> None:
        self.values.pop(key, None)


async def _progress(fraction: float | None, message: str = "") -> None:
    return None


def tool_context(slug: str = "tool") -> ToolContext:
    """Return a context with the refusing ports and an empty state."""
    session = uuid.uuid4()
    return ToolContext(
        tool_id=uuid.uuid4(),
        slug=slug,
        call_id=uuid.uuid4(),
        session_id=session,
        workspace_id=session,
        user_id=None,
        silent=False,
        thinking=False,
        tools={},
        ports=Ports(),
        progress=_progress,
        state=MemoryState(),
        deadline=None,
    )

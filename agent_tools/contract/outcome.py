"""What became of a call."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from agent_tools.contract.calls import ToolCall
from agent_tools.contract.result import ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOutcome:
    """The end of one call: its final result, the row of its tool (none when the name was unknown) and the time it ran
    in milliseconds, waits for a person not counted.
    """

    call: ToolCall
    result: ToolResult
    tool_id: uuid.UUID | None
    duration_ms: int

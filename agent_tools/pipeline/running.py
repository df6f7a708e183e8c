"""A call under way: what the stages know of it and pass along."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent_tools.contract.calls import ToolCall
from agent_tools.contract.context import Scope
from agent_tools.contract.executor import ToolConfig, ToolInput
from agent_tools.contract.outcome import CallOutcome
from agent_tools.contract.result import ToolResult
from agent_tools.models import AgentTool
from agent_tools.registry import AnyExecutor


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A tool that can be used: its row, its executor, its configuration opened. `secrets` are the configuration's."""

    tool: AgentTool
    executor: AnyExecutor
    config: ToolConfig
    secrets: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Arguments that fit: as a JSON object, and as the executor's input."""

    arguments: Mapping[str, Any]
    tool_input: ToolInput


@dataclass(slots=True, kw_only=True, eq=False)
class Running:
    """One call on its way through the stages.

    `tools` maps each slug of the session's set to its type. `sent` is what the caller sent, as JSON where it could be
    read. `bound` and `request` are there once the call is prepared; a stage that changes the arguments replaces
    `request`. A call with a `result` has ended, and later stages pass it over.
    """

    call: ToolCall
    scope: Scope
    tools: Mapping[str, str]
    tool: AgentTool | None = None
    sent: Any = None
    bound: Bound | None = None
    request: Request | None = None
    result: ToolResult | None = None
    duration_ms: int = 0
    notes: list[str] = field(default_factory=list)
    """Texts that hooks add to what the model reads."""

    @property
    def slug(self) -> str:
        return self.tool.slug if self.tool else self.call.name

    @property
    def open(self) -> bool:
        return self.result is None

    @property
    def secrets(self) -> tuple[str, ...]:
        return self.bound.secrets if self.bound else ()

    def prepared(self) -> tuple[Bound, Request]:
        """Return what running takes; only for calls that passed `prepare`."""
        if self.bound is None or self.request is None:
            raise RuntimeError(f"Call {self.call.id} has not been prepared.")
        return self.bound, self.request

    def outcome(self) -> CallOutcome:
        """Return the end of the call; only once it has one."""
        if self.result is None:
            raise RuntimeError(f"Call {self.call.id} has not ended.")
        tool_id = self.tool.pk if self.tool else None
        return CallOutcome(call=self.call, result=self.result, tool_id=tool_id, duration_ms=self.duration_ms)

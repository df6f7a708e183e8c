"""A call under way: what the stages know of it and pass along."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent_tools.contract.calls import ToolCall
from agent_tools.contract.context import Scope
from agent_tools.contract.executor import ToolConfig, ToolInput
from agent_tools.contract.outcome import CallOutcome
from agent_tools.contract.permissions import ALLOWED, Verdict
from agent_tools.contract.result import ToolResult
from agent_tools.models import AgentTool
from agent_tools.registry import AnyExecutor
from agent_tools.text.striking import Striker


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A tool that can be used: its row, its executor, its configuration opened, the schema narrowed by it, and what
    strikes out its secrets.
    """

    tool: AgentTool
    executor: AnyExecutor
    config: ToolConfig
    schema: Mapping[str, Any]
    striker: Striker


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Arguments that fit: as a JSON object, and as the executor's input."""

    arguments: Mapping[str, Any]
    tool_input: ToolInput


@dataclass(frozen=True, slots=True)
class Judgement:
    """What counts of all verdicts, and why a person has to be asked, if that is what counts."""

    verdict: Verdict = ALLOWED
    reasons: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True, eq=False)
class Running:
    """One call on its way through the stages, each of which passes over a call that has a `result`.

    `tools` maps each slug of the session's set to its type. `sent` is what the caller sent: a JSON object, or the text
    that could not be read as one. `bound` and `request` are there once the call is prepared.
    """

    call: ToolCall
    scope: Scope
    tools: Mapping[str, str]
    begun: bool = False
    """Whether it runs already, judged and recorded by a batch of its own."""
    tool: AgentTool | None = None
    sent: Any = None
    bound: Bound | None = None
    request: Request | None = None
    result: ToolResult | None = None

    judgement: Judgement = Judgement()
    rewritten: Mapping[str, Any] | None = None
    """Arguments that hooks put in place of the caller's, until they are validated."""
    rewritten_by: list[str] = field(default_factory=list)
    asks: list[Verdict] = field(default_factory=list)
    """What hooks want the person to be asked."""
    notes: list[str] = field(default_factory=list)
    """Texts that hooks add to what the model reads."""

    started: bool = False
    duration_ms: int = 0
    closed: bool = False

    @property
    def slug(self) -> str:
        return self.call.name

    @property
    def open(self) -> bool:
        return self.result is None

    @property
    def striker(self) -> Striker:
        return self.bound.striker if self.bound else NOTHING_SECRET

    def prepared(self) -> tuple[Bound, Request]:
        """Return what running takes; only for calls that passed `prepare`."""
        if self.bound is None or self.request is None:
            raise RuntimeError(f"Call {self.call.id} has not been prepared.")
        return self.bound, self.request

    def ended(self) -> ToolResult:
        """Return the result; only for calls that have one."""
        if self.result is None:
            raise RuntimeError(f"Call {self.call.id} has not ended.")
        return self.result

    def outcome(self) -> CallOutcome:
        """Return the end of the call."""
        tool_id = self.tool.pk if self.tool else None
        return CallOutcome(call=self.call, result=self.ended(), tool_id=tool_id, duration_ms=self.duration_ms)


NOTHING_SECRET = Striker(())

"""The events of a conversation's journal; the pipeline's own are in `agent_tools.contract.events`.

Names are fixed. Each event has one encoder; the journal adds number, turn and time.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from agent_tools.contract.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageAdded(Event):
    """A person's message was stored; `queued` while another turn runs."""

    type: ClassVar[str] = "message_added"
    message: Mapping[str, Any]
    queued: bool

    def payload(self) -> dict[str, Any]:
        return {"message": dict(self.message), "queued": self.queued}


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted(Event):
    """A turn began to run (again, after a take-over, with a higher epoch)."""

    type: ClassVar[str] = "turn_started"
    message: int
    model: str
    tools: bool
    thinking: bool
    epoch: int

    def payload(self) -> dict[str, Any]:
        return {
            "message": self.message,
            "model": self.model,
            "tools": self.tools,
            "thinking": self.thinking,
            "epoch": self.epoch,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class StepStarted(Event):
    """A request to the model went out; a further attempt replaces what the step had shown."""

    type: ClassVar[str] = "step_started"
    step: int
    attempt: int

    def payload(self) -> dict[str, Any]:
        return {"step": self.step, "attempt": self.attempt}


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta(Event):
    """Further text of the answer."""

    type: ClassVar[str] = "text_delta"
    step: int
    text: str

    def payload(self) -> dict[str, Any]:
        return {"step": self.step, "text": self.text}


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingDelta(Event):
    """Further text of the model's thinking."""

    type: ClassVar[str] = "thinking_delta"
    step: int
    text: str

    def payload(self) -> dict[str, Any]:
        return {"step": self.step, "text": self.text}


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionRequested(Event):
    """A call waits for a person's permission; `deadline` is ISO 8601."""

    type: ClassVar[str] = "permission_request"
    id: uuid.UUID
    call: uuid.UUID
    name: str
    arguments: Any
    arguments_hash: str
    reasons: tuple[str, ...]
    deadline: str

    def payload(self) -> dict[str, Any]:
        return {
            "id": str(self.id),
            "call": str(self.call),
            "name": self.name,
            "arguments": self.arguments,
            "arguments_hash": self.arguments_hash,
            "reasons": list(self.reasons),
            "deadline": self.deadline,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked(Event):
    """A tool asks the person."""

    type: ClassVar[str] = "question"
    id: uuid.UUID
    call: uuid.UUID
    text: str
    choices: tuple[str, ...]
    multiple: bool
    deadline: str

    def payload(self) -> dict[str, Any]:
        return {
            "id": str(self.id),
            "call": str(self.call),
            "text": self.text,
            "choices": list(self.choices),
            "multiple": self.multiple,
            "deadline": self.deadline,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved(Event):
    """A question or permission left its pending state."""

    type: ClassVar[str] = "resolved"
    id: uuid.UUID
    state: str
    decision: str = ""
    reason: str = ""

    def payload(self) -> dict[str, Any]:
        return {"id": str(self.id), "state": self.state, "decision": self.decision, "reason": self.reason}


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextCompacted(Event):
    """Older turns were shortened for the model; the messages themselves stay."""

    type: ClassVar[str] = "context_compacted"
    level: str
    before: int
    after: int

    def payload(self) -> dict[str, Any]:
        return {"level": self.level, "before": self.before, "after": self.after}


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageReported(Event):
    """Tokens and cost (decimal text, or none) of one response; `estimated` where the provider gave none."""

    type: ClassVar[str] = "usage"
    step: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    cost: str | None = None
    estimated: bool = False

    def payload(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFinished(Event):
    """The turn ended; `message` is the row of the final answer, none where there is none."""

    type: ClassVar[str] = "turn_finished"
    reason: str
    message: int | None

    def payload(self) -> dict[str, Any]:
        return {"reason": self.reason, "message": self.message}


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorHappened(Event):
    """Something went wrong; `message` says what and what to do."""

    type: ClassVar[str] = "error"
    code: str
    message: str

    def payload(self) -> dict[str, Any]:
        return {"code": self.code, "message": self.message}

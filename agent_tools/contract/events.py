"""What the pipeline tells while calls run. Each event has one encoder: `encode`."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Base of all events; `type` is the fixed name on the wire."""

    type: ClassVar[str]

    def payload(self) -> dict[str, Any]:
        """Return the JSON-ready body without the type."""
        raise NotImplementedError


def encode(event: Event) -> dict[str, Any]:
    """Return the event as a JSON-ready object, its type first."""
    return {"type": event.type, **event.payload()}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallEvent(Event):
    """A call was taken up; secrets in its arguments are masked."""

    type: ClassVar[str] = "tool_call"
    id: uuid.UUID
    name: str
    arguments: Any
    step: int

    def payload(self) -> dict[str, Any]:
        return {"id": str(self.id), "name": self.name, "arguments": self.arguments, "step": self.step}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolProgressEvent(Event):
    """A running call reports; `fraction` is from 0 to 1, or none where the end is unknown."""

    type: ClassVar[str] = "tool_progress"
    id: uuid.UUID
    fraction: float | None
    message: str

    def payload(self) -> dict[str, Any]:
        return {"id": str(self.id), "progress": {"fraction": self.fraction, "message": self.message}}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResultEvent(Event):
    """A call ended. `output` is the model's text; the metadata hold status, reason and duration too."""

    type: ClassVar[str] = "tool_result"
    tool_call_id: uuid.UUID
    name: str
    output: str
    is_error: bool
    metadata: Mapping[str, Any]
    step: int

    def payload(self) -> dict[str, Any]:
        return {
            "tool_call_id": str(self.tool_call_id),
            "name": self.name,
            "output": self.output,
            "is_error": self.is_error,
            "metadata": dict(self.metadata),
            "step": self.step,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationEvent(Event):
    """Something a person should see at once; `level` is info, warning or error."""

    type: ClassVar[str] = "notification"
    level: str
    message: str
    details: Mapping[str, Any] = field(default_factory=dict)

    def payload(self) -> dict[str, Any]:
        return {"level": self.level, "message": self.message, "details": dict(self.details)}


@dataclass(frozen=True, slots=True, kw_only=True)
class TodoChangedEvent(Event):
    """The session's plan changed; each item is a JSON-ready object."""

    type: ClassVar[str] = "todo_changed"
    todos: tuple[Mapping[str, Any], ...]

    def payload(self) -> dict[str, Any]:
        return {"todos": [dict(todo) for todo in self.todos]}

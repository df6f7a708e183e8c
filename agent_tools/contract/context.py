"""What surrounds a call: the scope a door opens, and the context one executor gets."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from agent_tools.contract.calls import Door
from agent_tools.contract.ports import Ports


class SessionState(Protocol):
    """Small JSON values of one session that outlive the process: file stamps, pending flags."""

    async def get(self, key: str, default: Any = None) -> Any: ...

    async def set(self, key: str, value: Any) -> None: ...

    async def delete(self, key: str) -> None: ...


class Progress(Protocol):
    """Reports how far a call is: a fraction from 0 to 1, or none, and a few words. Never raises, never waits long."""

    def __call__(self, fraction: float | None, message: str = "") -> Awaitable[None]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What the calls of one batch share, opened by a door.

    `session_id` is the life of one conversation as tools see it, `workspace_id` the files it shares with its
    sub-agents. `tools` narrows the set by slug (none: all that are enabled). `confirmed` is an operator's ticked
    confirmation, an allow once. `silent` runs have nobody watching. `step` is 0 outside a turn.
    """

    door: Door
    user_id: int | None = None
    session_id: uuid.UUID = field(default_factory=uuid.uuid4)
    workspace_id: uuid.UUID | None = None
    tools: frozenset[str] | None = None
    ports: Ports = field(default_factory=Ports)
    silent: bool = False
    thinking: bool = False
    confirmed: bool = False
    step: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """What one executor gets beside input and config. `deadline` is in the event loop's time, `tools` maps each slug
    of the session's set to its type.
    """

    tool_id: uuid.UUID
    slug: str
    call_id: uuid.UUID
    session_id: uuid.UUID
    workspace_id: uuid.UUID
    user_id: int | None
    silent: bool
    thinking: bool
    tools: Mapping[str, str]
    ports: Ports
    progress: Progress
    state: SessionState
    deadline: float | None

"""The interfaces through which a tool reaches what only a conversation has.

A conversation implements them; everywhere else the refusing ones below stand in and say politely why not.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from agent_tools.contract.errors import UnavailableError
from agent_tools.contract.events import Event
from agent_tools.contract.permissions import PermissionAnswer, PermissionRequest


class Sink(Protocol):
    """Takes the events of running calls."""

    async def emit(self, event: Event) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question to the person; `choices` may be empty (free text), `timeout` is in seconds."""

    call_id: uuid.UUID
    text: str
    choices: tuple[str, ...] = ()
    multiple: bool = False
    timeout: float = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the person said: `text`, the `chosen` of the choices, or neither when nobody `answered` in time."""

    answered: bool
    text: str = ""
    chosen: tuple[str, ...] = ()


class Asker(Protocol):
    """Reaches the person. Both methods wait, and end early only with the turn; waiting is not counted as a tool's
    own time.
    """

    async def ask(self, question: Question) -> Answer: ...

    async def permission(self, request: PermissionRequest) -> PermissionAnswer: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A request for one plain completion; `messages` are role/content pairs, `schema` asks for a JSON answer."""

    messages: Sequence[tuple[str, str]]
    max_tokens: int | None = None
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """The model's answer and what it used (tokens by name, as the provider reports them)."""

    text: str
    usage: Mapping[str, int] = field(default_factory=dict)


class LanguageModel(Protocol):
    """One plain completion by the model in use; raises `UnavailableError` or a provider's error."""

    async def complete(self, prompt: Prompt) -> Completion: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """Work for a sub-agent: `tools` narrows its set by slug (none: as the parent), `max_steps` is from 1 to 10."""

    call_id: uuid.UUID
    task: str
    instructions: str = ""
    tools: tuple[str, ...] | None = None
    max_steps: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A sub-agent's summary, and how it ended."""

    summary: str
    finished: bool
    steps: int
    metadata: Mapping[str, Any] = field(default_factory=dict)


class Delegate(Protocol):
    """Runs a sub-agent to its end."""

    async def run(self, assignment: Assignment) -> Report: ...


class NullSink:
    """Drops events: where nobody watches."""

    async def emit(self, event: Event) -> None:
        """Do nothing."""


class NobodyToAsk:
    """Refuses to ask: the API, background work and silent runs have no person."""

    async def ask(self, question: Question) -> Answer:
        raise UnavailableError("Nobody can be asked here: this run has no person watching.", reason="nobody_to_ask")

    async def permission(self, request: PermissionRequest) -> PermissionAnswer:
        raise UnavailableError("Nobody can allow this here: this run has no person watching.", reason="nobody_to_ask")


class NoLanguageModel:
    """Refuses: no model is configured."""

    async def complete(self, prompt: Prompt) -> Completion:
        raise UnavailableError("No language model is available here.", reason="no_language_model")


class NoDelegate:
    """Refuses: sub-agents exist only inside a conversation."""

    async def run(self, assignment: Assignment) -> Report:
        raise UnavailableError("Sub-agents exist only inside a conversation.", reason="no_delegate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """The four ports of one run."""

    sink: Sink = field(default_factory=NullSink)
    asker: Asker = field(default_factory=NobodyToAsk)
    model: LanguageModel = field(default_factory=NoLanguageModel)
    delegate: Delegate = field(default_factory=NoDelegate)

    @property
    def can_ask(self) -> bool:
        return not isinstance(self.asker, NobodyToAsk)


class PortsFactory(Protocol):
    """Builds the ports for runs outside a conversation; named by a settings string."""

    def __call__(self, *, user_id: int | None) -> Ports: ...

"""What goes into a language model and what comes out, free of any provider's dialect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from agent_tools.contract.definition import ToolDefinition
from chat.llm.profile import Profile
from chat.llm.usage import Usage

ToolChoice: TypeAlias = Literal["auto", "none", "required"]


class Role(StrEnum):
    """Who speaks."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEndpoint:
    """Where a model is and how it wants to be asked.

    `parameters` join every request's body, `thinking_parameters` or `plain_parameters` those with thinking on or off.
    An empty key sends no Authorization header at all.
    """

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    thinking_parameters: Mapping[str, Any] = field(default_factory=dict)
    plain_parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        """Name the sender of a message, so that what only it understands is replayed to nobody else."""
        return f"{self.base_url.rstrip('/')}#{self.model}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryCall:
    """A call in an assistant's message: our own `id`, the provider's, and the arguments' text as it was sent.

    `extra` holds keys beyond the standard that came with the call; keys below "function" belong to that object.
    """

    id: str
    name: str
    arguments: str = ""
    provider_id: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of the history.

    `call_id` (role tool) is our own id of the call that it answers; `images` are URLs or data URIs; `origin` is the
    endpoint that said it, to which alone `thinking` and `extra` are replayed.
    """

    role: Role
    content: str = ""
    calls: tuple[HistoryCall, ...] = ()
    call_id: str = ""
    images: tuple[str, ...] = ()
    thinking: str = ""
    reasoning_field: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    origin: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request to a model; the history need not be acceptable yet, and the tools need no order."""

    messages: Sequence[Message]
    tools: Sequence[ToolDefinition] = ()
    tool_choice: ToolChoice = "auto"
    thinking: bool = False
    max_tokens: int | None = None


class Incomplete(StrEnum):
    """Why a call's arguments are not to be run."""

    TRUNCATED = "truncated"
    NAMELESS = "nameless"


@dataclass(frozen=True, slots=True, kw_only=True)
class RawCall:
    """A call as the model made it.

    `position` is its place among the calls opened by this response, and the only stable key: a provider's id may be
    absent or repeated. `arguments` is the text exactly as assembled (empty: none were sent).
    """

    position: int
    name: str
    arguments: str = ""
    provider_id: str | None = None
    incomplete: Incomplete | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        return self.incomplete is None


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """A piece of the model's reasoning."""

    text: str


@dataclass(frozen=True, slots=True)
class CallOpened:
    """A call has begun and its name is known."""

    position: int
    name: str


@dataclass(frozen=True, slots=True)
class CallProgress:
    """A call's arguments have grown to `characters`."""

    position: int
    characters: int


@dataclass(frozen=True, slots=True)
class CallSealed:
    """A later call has opened, so this one is probably whole. It counts only if the response ends well with equal
    arguments: compare with the final call of the same position.
    """

    call: RawCall


@dataclass(frozen=True, slots=True)
class Retrying:
    """The request failed before anything was shown; attempt number `attempt` follows in `delay` seconds."""

    attempt: int
    delay: float
    reason: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """The closing event: everything of a stream that ended well.

    `calls` decide whether there is work to do, not `finish_reason`. `profile` is what is now known of the model, for
    the caller to keep. `extra` are unknown keys, replayed to the same endpoint. `scrubbed` counts the characters
    that no text may hold and that were replaced or dropped.
    """

    text: str = ""
    thinking: str = ""
    reasoning_field: str = ""
    calls: tuple[RawCall, ...] = ()
    finish_reason: str = ""
    usage: Usage = field(default_factory=Usage)
    extra: Mapping[str, Any] = field(default_factory=dict)
    request_id: str = ""
    response_id: str = ""
    model: str = ""
    profile: Profile = field(default_factory=Profile)
    interleaved: bool = False
    cumulative: bool = False
    scrubbed: int = 0

    @property
    def cut(self) -> bool:
        """Tell whether the model ran into its limit of tokens."""
        return self.finish_reason in {"length", "max_tokens", "model_length"}

    @property
    def empty(self) -> bool:
        """Tell whether there is nothing to show and nothing to run."""
        return not self.text.strip() and not self.calls

    def as_message(self, ids: Sequence[str], *, origin: str = "") -> Message:
        """Return the response as a message of the history; `ids` are our own, one for each call, in order."""
        calls = tuple(
            HistoryCall(
                id=own, name=call.name, arguments=call.arguments, provider_id=call.provider_id, extra=call.extra
            )
            for own, call in zip(ids, self.calls, strict=True)
        )
        return Message(
            role=Role.ASSISTANT,
            content=self.text,
            calls=calls,
            thinking=self.thinking,
            reasoning_field=self.reasoning_field,
            extra=self.extra,
            origin=origin,
        )


StreamEvent: TypeAlias = (
    TextDelta | ThinkingDelta | CallOpened | CallProgress | CallSealed | Retrying | Usage | Response
)

"""A call on its way: what was asked, the states it can end in, and the codes that say why."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Door(StrEnum):
    """Where a call came in."""

    CHAT = "chat"
    API = "api"
    ADMIN = "admin"
    BACKGROUND = "background"


class CallStatus(StrEnum):
    """The states of a call's record; all but `running` are terminal."""

    RUNNING = "running"
    SUCCESS = "success"
    ERROR = "error"
    TIMEOUT = "timeout"
    DENIED = "denied"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


class Ran(StrEnum):
    """Whether a call may have had effects, so that the model knows what it can rely on."""

    NO = "no"
    YES = "yes"
    MAYBE = "maybe"


class Reason(StrEnum):
    """Why the pipeline itself ended a call. Tools add codes of their own beside these."""

    UNKNOWN_TOOL = "unknown_tool"
    UNKNOWN_TOOL_TYPE = "unknown_tool_type"
    MISCONFIGURED = "invalid_config"
    INVALID_JSON = "invalid_json"
    TRUNCATED = "truncated_arguments"
    NOT_AN_OBJECT = "not_an_object"
    INVALID_ARGUMENTS = "invalid_arguments"
    REPEATED = "repeated_call"
    HOOK_BLOCKED = "blocked_by_hook"
    HOOK_FAILED = "guard_failed"
    RULE = "denied_by_rule"
    NOBODY_TO_ASK = "nobody_to_ask"
    PERSON = "denied_by_person"
    EXPIRED = "permission_expired"
    TIMEOUT = "timeout"
    STILL_RUNNING = "still_running"
    CANCELLED = "cancelled"
    NOT_STARTED = "not_started"
    SIBLING_FAILED = "sibling_failed"
    INTERRUPTED = "interrupted"
    STEP_LIMIT = "step_limit"
    BAD_RESULT = "bad_result"
    INTERNAL = "internal_error"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One request to run a tool, as it was asked.

    `id` is our own and unique; `provider_id` is whatever the provider called it and serves only to answer that
    provider. `arguments` is the text a model wrote, or a mapping from a caller that speaks JSON itself. `sealed` is
    false when the response was cut before the arguments were complete.
    """

    name: str
    arguments: str | Mapping[str, Any] | None = None
    id: uuid.UUID = field(default_factory=uuid.uuid4)
    provider_id: str | None = None
    sealed: bool = True

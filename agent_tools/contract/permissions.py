"""Who may run what: verdicts, and what a person is asked and answers."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Action(StrEnum):
    """What a rule demands."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Source(StrEnum):
    """Whose word a verdict is."""

    TOOL = "tool"
    RULE = "rule"
    HOOK = "hook"
    GRANT = "grant"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one rule says about one call; `name` tells which rule or hook of that source it was."""

    action: Action
    reason: str
    source: Source = Source.TOOL
    name: str = ""


ALLOWED = Verdict(Action.ALLOW, "", Source.DEFAULT)
LIFTS_AN_ASK = frozenset({Source.RULE, Source.GRANT})


def combine(verdicts: Iterable[Verdict]) -> Verdict:
    """Return what counts: any deny wins; else an operator's allow or a person's grant lifts an ask; else the ask;
    else the call is allowed. A tool or a hook cannot lift what others ask.

    The order of the verdicts does not matter, but for which of several equal ones is named.
    """
    known = tuple(verdicts)
    for verdict in known:
        if verdict.action is Action.DENY:
            return verdict
    for verdict in known:
        if verdict.action is Action.ALLOW and verdict.source in LIFTS_AN_ASK:
            return verdict
    return next((verdict for verdict in known if verdict.action is Action.ASK), ALLOWED)


class Decision(StrEnum):
    """What a person answers to a permission request."""

    ALLOW_ONCE = "allow_once"
    ALLOW_ALWAYS = "allow_always"
    DENY = "deny"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionRequest:
    """What a person is asked. `arguments_hash` (SHA-256 of the canonical final arguments, hex) binds the answer to
    exactly these arguments; `timeout` is in seconds.
    """

    call_id: uuid.UUID
    slug: str
    arguments: Mapping[str, Any]
    arguments_hash: str
    reasons: tuple[str, ...]
    timeout: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionAnswer:
    """A person's decision, the hash it was given for, and the reason for a refusal."""

    decision: Decision
    arguments_hash: str
    reason: str = ""

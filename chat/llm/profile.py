"""What one model's provider takes and gives, as data: kept with the model, improved by what its refusals teach."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any, Self


class EmptyContent(StrEnum):
    """The content of an assistant's message that holds calls and no words."""

    NULL = "null"
    EMPTY = "empty"


class IdStyle(StrEnum):
    """The form of a call's id: the provider's own where it can be kept, always ours, or nine letters and digits."""

    PROVIDER = "provider"
    OWN = "own"
    ALNUM9 = "alnum9"


class Echo(StrEnum):
    """Which reasoning goes back: none; what was sent with calls; or it is demanded with calls, or in every answer."""

    NEVER = "never"
    WITH_CALLS = "with_calls"
    DEMANDED_WITH_CALLS = "demanded_with_calls"
    DEMANDED = "demanded"


class SchemaLevel(StrEnum):
    """How much JSON Schema goes out: all of it, or the plain subset that every server reads."""

    FULL = "full"
    PLAIN = "plain"


class MaxTokensName(StrEnum):
    """The parameter that bounds the answer."""

    MAX_TOKENS = "max_tokens"
    MAX_COMPLETION_TOKENS = "max_completion_tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The capabilities of one model at one provider.

    `refused` are parameters of the request's body that are left out. `calls_need_tools`: calls in the history are
    told as text when a request has no tools. `replay`: unknown keys of the provider's own messages go back.
    `interleaved` and `cumulative` are habits seen in its streams; either forbids starting calls early.
    """

    tools: bool = True
    system: bool = True
    images: bool = True
    user_after_tool: bool = True
    calls_need_tools: bool = False
    max_tokens_name: MaxTokensName = MaxTokensName.MAX_TOKENS
    empty_content: EmptyContent = EmptyContent.NULL
    id_style: IdStyle = IdStyle.PROVIDER
    echo: Echo = Echo.WITH_CALLS
    reasoning_field: str = ""
    replay: bool = True
    schema: SchemaLevel = SchemaLevel.FULL
    refused: frozenset[str] = frozenset()
    interleaved: bool = False
    cumulative: bool = False

    @property
    def starts_early(self) -> bool:
        """Tell whether a sealed call's arguments can be trusted to stay as they are."""
        return not (self.interleaved or self.cumulative)

    def without(self, parameter: str) -> Profile:
        """Return the profile with one more parameter refused."""
        return replace(self, refused=self.refused | {parameter})

    def as_json(self) -> dict[str, Any]:
        """Return what differs from the defaults, JSON-ready."""
        told = {item.name: getattr(self, item.name) for item in fields(self)}
        changed = {name: value for name, value in told.items() if value != getattr(_DEFAULTS, name)}
        return {name: sorted(value) if isinstance(value, frozenset) else value for name, value in changed.items()}

    @classmethod
    def from_json(cls, stored: object) -> Self:
        """Return the profile that was stored; what is unknown or unusable in it counts as not stored."""
        if not isinstance(stored, Mapping):
            return cls()
        kinds = typing.get_type_hints(cls)
        usable: dict[str, Any] = {
            name: value
            for name, kind in kinds.items()
            if name in stored and (value := _read(stored[name], kind)) is not None
        }
        return cls(**usable)


def _read(value: object, kind: object) -> object | None:
    if isinstance(kind, types.GenericAlias):
        return frozenset(str(part) for part in value) if isinstance(value, list | tuple | frozenset) else None
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        try:
            return kind(str(value))
        except ValueError:
            return None
    return value if isinstance(kind, type) and isinstance(value, kind) else None


_DEFAULTS = Profile()

"""The one tree of errors. An error is translated once, where it crosses a boundary.

The pipeline turns a `ToolError` into a failed result, the API turns any of them into a problem body, the journal into
an error event. `reason` is a stable snake_case code for programs, the message one plain sentence for a reader.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with an input: where (dotted path, empty for the whole) and what, with the remedy."""

    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message


class AgentToolsError(Exception):
    """Root of the tree; never raised itself."""

    default_reason: ClassVar[str] = "error"

    def __init__(self, message: str, *, reason: str = "", details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason or self.default_reason
        self.details: dict[str, Any] = dict(details or {})


class ToolError(AgentToolsError):
    """A tool could not do what was asked, for a reason that it knows; `details` go into the result's metadata.
    `nothing_done` says that it failed before it had any effect.
    """

    default_reason = "tool_error"
    nothing_done = False


class ToolTimeoutError(ToolError):
    """A tool ran out of its time; the result's status is `timeout`."""

    default_reason = "timeout"


class RefusedError(ToolError):
    """A tool's own limits forbid what was asked: nothing was done, unless it says otherwise. The result's status is
    `denied` only where the pipeline itself refused; a tool that refuses has failed, with this reason.
    """

    default_reason = "refused"
    nothing_done = True


class InvalidInputError(AgentToolsError):
    """Arguments, a configuration or a setting are wrong; `problems` name each field and the remedy."""

    default_reason = "invalid_input"

    def __init__(self, problems: Sequence[Problem], *, reason: str = "") -> None:
        super().__init__("; ".join(str(problem) for problem in problems), reason=reason)
        self.problems = tuple(problems)

    def __reduce__(self) -> tuple[type[InvalidInputError], tuple[tuple[Problem, ...]], dict[str, Any]]:
        return type(self), (self.problems,), self.__dict__


class ConfigError(InvalidInputError):
    """The configuration of a tool is wrong."""

    default_reason = "invalid_config"


class UnknownToolTypeError(AgentToolsError):
    """A row names a type that the catalogue does not list, or whose module cannot be loaded."""

    default_reason = "unknown_tool_type"


class UnavailableError(AgentToolsError):
    """Something that a tool needs is not there: a port, a key, a service."""

    default_reason = "unavailable"

"""The form of an assembly case: frames of a stream, and the calls they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tests.fakes.model_script import delta, done, finish

Calls: TypeAlias = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Case:
    """Frames in, (name, arguments) out; `truncated` are the positions that must not run."""

    source: str
    frames: Sequence[bytes]
    calls: Calls
    reason: str = "tool_calls"
    truncated: tuple[int, ...] = ()
    cumulative: bool = False

    @property
    def body(self) -> bytes:
        return b"".join([*self.frames, *(step for step in [*finish(self.reason), *done()] if isinstance(step, bytes))])


def tc(*entries: dict[str, Any]) -> bytes:
    """A delta with these entries."""
    return delta(tool_calls=list(entries))


def fn(name: Any = None, arguments: Any = None, **place: Any) -> dict[str, Any]:
    """One entry; what is None is left out."""
    told = {"name": name, "arguments": arguments}
    return {**place, "function": {key: value for key, value in told.items() if value is not None}}

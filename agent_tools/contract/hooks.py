"""Hooks: what an app may do before and after every call, and how it registers.

A module `tool_hooks` in any installed app is found by Django's autodiscovery; its decorated functions run in the
order of INSTALLED_APPS, then of their `order`.
"""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from agent_tools.contract.calls import Door
from agent_tools.contract.result import ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class HookCall:
    """What a hook sees of a call. `arguments` are those that would run now; changing them takes a `MutateInput`."""

    call_id: uuid.UUID
    slug: str
    type: str
    arguments: Mapping[str, Any]
    door: Door
    user_id: int | None
    session_id: uuid.UUID


@dataclass(frozen=True, slots=True)
class Proceed:
    """Let the call through."""


@dataclass(frozen=True, slots=True)
class Block:
    """End the call; the model reads the reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class MutateInput:
    """Run with these arguments instead; they are validated and judged again."""

    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AppendContext:
    """Add a text to what the model reads as the call's result."""

    text: str


@dataclass(frozen=True, slots=True)
class PermissionRequired:
    """Ask the person before this call runs."""

    message: str


@dataclass(frozen=True, slots=True)
class Keep:
    """Leave the result as it is."""


@dataclass(frozen=True, slots=True)
class MutateOutput:
    """Replace what is given back; fields left out stay. It cannot change whether the call succeeded."""

    content: str | None = None
    data: Any = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


BeforeOutcome = Proceed | Block | MutateInput | AppendContext | PermissionRequired
AfterOutcome = Keep | MutateOutput | AppendContext

BeforeHook = Callable[[HookCall], BeforeOutcome | None | Awaitable[BeforeOutcome | None]]
AfterHook = Callable[[HookCall, ToolResult], AfterOutcome | None | Awaitable[AfterOutcome | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """One registered hook. `tools` holds patterns of slugs with `*`; `timeout` is in seconds; a `guard` that fails or
    hangs blocks the call, any other is logged and passed over.
    """

    function: Callable[..., Any]
    name: str
    order: int
    tools: tuple[str, ...]
    guard: bool
    timeout: float


class HookRegistry:
    """The hooks of this process, before and after apart."""

    def __init__(self) -> None:
        self.before: list[Registration] = []
        self.after: list[Registration] = []


registry = HookRegistry()
F = TypeVar("F", bound=Callable[..., Any])


def _register(
    into: list[Registration], *, order: int, tools: tuple[str, ...], guard: bool, timeout: float
) -> Callable[[F], F]:
    def register(function: F) -> F:
        name = f"{function.__module__}.{function.__qualname__}"
        into[:] = [known for known in into if known.name != name]
        into.append(Registration(function=function, name=name, order=order, tools=tools, guard=guard, timeout=timeout))
        return function

    return register


def before_call(
    *, order: int = 0, tools: tuple[str, ...] = ("*",), guard: bool = False, timeout: float = 5.0
) -> Callable[[F], F]:
    """Register a function `(HookCall) -> BeforeOutcome | None`, sync or async; none lets the call through."""
    return _register(registry.before, order=order, tools=tools, guard=guard, timeout=timeout)


def after_call(*, order: int = 0, tools: tuple[str, ...] = ("*",), timeout: float = 5.0) -> Callable[[F], F]:
    """Register a function `(HookCall, ToolResult) -> AfterOutcome | None`, sync or async; none keeps the result."""
    return _register(registry.after, order=order, tools=tools, guard=False, timeout=timeout)

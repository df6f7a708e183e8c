"""Short ways to a tool, a call and a run, for tests of the pipeline."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, TypeVar

from agent_tools.contract.calls import Door, ToolCall
from agent_tools.contract.context import Scope
from agent_tools.contract.outcome import CallOutcome
from agent_tools.contract.ports import Ports
from agent_tools.contract.result import ToolResult
from agent_tools.models import AgentTool, AgentToolLog
from agent_tools.registry import registry
from agent_tools.services.execution import run_batch

T = TypeVar("T")


async def make_tools(*types: str, **fields: Any) -> list[AgentTool]:
    """Create one enabled tool a type, its slug the type's name."""
    return [await make_tool(kind, **fields) for kind in types]


async def make_tool(kind: str, slug: str = "", **fields: Any) -> AgentTool:
    return await AgentTool.objects.acreate(name=kind, slug=slug or kind, description="For tests.", type=kind, **fields)


def call(name: str, /, **arguments: Any) -> ToolCall:
    return ToolCall(name=name, arguments=arguments)


def scope(ports: Ports | None = None, **fields: Any) -> Scope:
    return Scope(door=fields.pop("door", Door.CHAT), ports=ports or Ports(), **fields)


async def run(*calls: ToolCall, within: Scope | None = None, **options: Any) -> list[CallOutcome]:
    return await run_batch(calls, within or scope(), **options)


async def run_one(name: str, within: Scope | None = None, /, **arguments: Any) -> ToolResult:
    [outcome] = await run(call(name, **arguments), within=within)
    return outcome.result


def executor(kind: type[T]) -> T:
    """Return the registry's instance of a test's tool type."""
    found = registry.get(kind.__name__.lower())
    assert isinstance(found, kind)
    return found


async def row_of(call_id: uuid.UUID) -> AgentToolLog:
    return await AgentToolLog.objects.aget(call_id=call_id)


def reasons(outcomes: Sequence[CallOutcome]) -> list[str]:
    """Return how each call ended: its reason, or `ok`."""
    return [outcome.result.reason or "ok" for outcome in outcomes]


def contents(outcomes: Sequence[CallOutcome]) -> list[str]:
    return [outcome.result.content for outcome in outcomes]

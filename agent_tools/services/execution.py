"""Runs calls for the doors. What goes wrong in a call is not raised: its outcome says it."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from typing import cast

from django.utils.module_loading import import_string

from agent_tools.conf import conf
from agent_tools.contract.calls import Door, ToolCall
from agent_tools.contract.context import Scope
from agent_tools.contract.interrupts import StopSignal
from agent_tools.contract.outcome import CallOutcome
from agent_tools.contract.ports import Ports
from agent_tools.contract.result import ToolResult
from agent_tools.models import AgentTool
from agent_tools.pipeline.database import in_database
from agent_tools.pipeline.duplicates import CallMemory
from agent_tools.pipeline.early import EarlyStarts
from agent_tools.pipeline.failures import Logging
from agent_tools.pipeline.run import Batch, run_calls
from agent_tools.services.recovery import recover_interrupted, repeatable_calls
from agent_tools.workspace.outputs import read_piece as read_kept_output

__all__ = [
    "CallMemory",
    "EarlyStarts",
    "execute_tool",
    "read_kept_output",
    "recover_interrupted",
    "refuse_batch",
    "repeatable_calls",
    "run_batch",
]


async def execute_tool(
    tool: AgentTool,
    tool_input: object,
    *,
    door: Door,
    user_id: int | None,
    confirmed: bool = False,
    session_id: uuid.UUID | None = None,
) -> CallOutcome:
    """Run one tool, a disabled one too, with a JSON object (or its text) as input.

    `confirmed` is an operator's ticked confirmation, an allow once. The log row is the one whose `call_id` is
    `outcome.call.id`.
    """
    scope = Scope(
        door=door,
        user_id=user_id,
        session_id=session_id or uuid.uuid4(),
        ports=await in_database(_ports, user_id),
        silent=door is not Door.CHAT,
        confirmed=confirmed,
    )
    call = ToolCall(name=tool.slug, arguments=cast("str | None", tool_input))
    [outcome] = await run_calls(Batch(calls=[call], scope=scope, tools=[tool]))
    return outcome


async def run_batch(
    calls: Sequence[ToolCall],
    scope: Scope,
    *,
    stop: StopSignal | None = None,
    memory: CallMemory | None = None,
    early: EarlyStarts | None = None,
    resumed: Collection[uuid.UUID] = (),
) -> list[CallOutcome]:
    """Run the calls of one model response with the tools of the scope's set; one outcome each, in their order.

    `memory` is the turn's, for finding repeated calls. What was started `early` belongs to the batch like the others,
    but is waited for and not run again; an outcome's call has a new id where an early run was dropped. `resumed` calls
    are taken up after a crash: their rows are open already.
    """
    known = memory if memory is not None else CallMemory()
    if early is None:
        return await run_calls(Batch(calls=calls, scope=scope, memory=known, resumed=resumed), stop=stop)
    try:
        renamed, begun = await early.settle(calls)
        batch = Batch(calls=renamed, scope=scope, memory=known, resumed=resumed, begun=begun)
        return await run_calls(batch, stop=stop)
    finally:
        await early.drop()


async def refuse_batch(calls: Sequence[ToolCall], scope: Scope, refusal: ToolResult) -> list[CallOutcome]:
    """Record and announce calls that are not run, all with the same result: those beyond a turn's limit of steps."""
    return await run_calls(Batch(calls=calls, scope=scope, refusal=refusal))


def _ports(user_id: int | None) -> Ports:
    """Return the ports for a run outside a conversation; where their factory fails, the refusing ones."""
    ports = Ports()
    if conf.ports_factory:
        with Logging(f"The factory of ports {conf.ports_factory} failed, so calls run without a language model"):
            ports = import_string(conf.ports_factory)(user_id=user_id)
    return ports

"""The one composition of the stages: every call of every door goes through here."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial

from django.db import Error as DatabaseTrouble

from agent_tools.contract.calls import Reason, ToolCall
from agent_tools.contract.context import Scope
from agent_tools.contract.interrupts import StopSignal
from agent_tools.contract.outcome import CallOutcome
from agent_tools.contract.result import ToolResult
from agent_tools.models import AgentTool
from agent_tools.pipeline import hooks, wording
from agent_tools.pipeline.asking import ask_where_needed
from agent_tools.pipeline.batch import run_group
from agent_tools.pipeline.duplicates import CallMemory, refuse_repeats, remember
from agent_tools.pipeline.ending import Ending, following
from agent_tools.pipeline.failures import Catching, Logging
from agent_tools.pipeline.overflow import keep_long_output
from agent_tools.pipeline.partition import partition
from agent_tools.pipeline.permissions import Law, judge_as_final, judge_as_sent
from agent_tools.pipeline.prepare import prepare
from agent_tools.pipeline.record import close_row, open_rows
from agent_tools.pipeline.running import Running
from agent_tools.pipeline.scrub import scrub
from agent_tools.pipeline.surroundings import surroundings_of
from agent_tools.pipeline.telling import tell_call, tell_result
from agent_tools.pipeline.validation import validate_again

logger = logging.getLogger(__name__)
Finish = Callable[[Running], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The calls of one response, and what belongs to them.

    `memory` is the turn's, for finding repeated calls. `tools` may be called beside the scope's set. The rows of
    `resumed` calls are open already. With a `refusal` nothing runs: every call ends with it.
    """

    calls: Sequence[ToolCall]
    scope: Scope
    memory: CallMemory = field(default_factory=CallMemory)
    tools: Sequence[AgentTool] = ()
    resumed: Collection[uuid.UUID] = ()
    refusal: ToolResult | None = None


async def run_calls(batch: Batch, *, stop: StopSignal | None = None) -> list[CallOutcome]:
    """Run a batch and return one outcome a call, in their order, whatever went wrong.

    A stop ends calls that yield at once, writes finish first. Cancelling the caller's task does the same, and every
    row is closed before the cancellation goes on.
    """
    ending = Ending()
    work = asyncio.ensure_future(_run(batch, stop, ending))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        ending.set(Reason.CANCELLED, "it was cancelled")
        await asyncio.wait({work})
        raise


async def _run(batch: Batch, stop: StopSignal | None, ending: Ending) -> list[CallOutcome]:
    try:
        surroundings = await surroundings_of(batch.scope, batch.tools)
        calls = prepare(batch.calls, batch.scope, surroundings.tools)
        refuse_repeats(calls, batch.memory)
        await open_rows(calls, batch.resumed)
    except DatabaseTrouble:
        logger.exception("The calls of session %s could not be recorded.", batch.scope.session_id)
        return [_not_recorded(call) for call in batch.calls]
    for running in calls:
        running.result = batch.refusal or running.result
    try:
        async with following(stop, ending):
            await _take_through(calls, surroundings.law, ending, partial(_finish, memory=batch.memory))
    finally:
        await _close_the_rest(calls)
    return [running.outcome() for running in calls]


async def _take_through(calls: Sequence[Running], law: Law, ending: Ending, finish: Finish) -> None:
    """Announce every call and admit it or not, in order; then run what may run, group by group."""
    for running in calls:
        await tell_call(running)
    for running in calls:
        if running.open and await ending.cuts_off(_admit(running, law)) and running.open:
            running.result = wording.not_started(ending.reason, ending.cause)
        if not running.open:
            await finish(running)
    for group in partition(calls):
        await run_group(group, ending, finish)


async def _admit(running: Running, law: Law) -> None:
    """Decide whether a call may run, and with which arguments."""
    with Catching(running):
        judge_as_sent(running, law)
        await hooks.before(running)
        validate_again(running)
        judge_as_final(running, law)
        await ask_where_needed(running, law)


async def _finish(running: Running, memory: CallMemory) -> None:
    """Bring a call that has its result to its end."""
    with Catching(running):
        remember(running, memory)
        await hooks.after(running)
        scrub(running)
        await keep_long_output(running)
    await close_row(running)
    await tell_result(running)


async def _close_the_rest(calls: Sequence[Running]) -> None:
    """Leave no row open, where a stage ended a call late or failed, or the process is ending."""
    for running in calls:
        if running.closed:
            continue
        with Logging(f"Call {running.call.id} could not be closed"):
            running.result = running.result or wording.interrupted()
            scrub(running)
            await close_row(running)
            await tell_result(running)


def _not_recorded(call: ToolCall) -> CallOutcome:
    return CallOutcome(call=call, result=wording.not_recorded(), tool_id=None, duration_ms=0)

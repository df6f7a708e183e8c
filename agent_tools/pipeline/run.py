"""The one composition of the stages: every call of every door goes through here."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Collection, Mapping, Sequence
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
from agent_tools.pipeline.begun import Begun, join
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
from agent_tools.pipeline.single import run_one
from agent_tools.pipeline.surroundings import surroundings_of
from agent_tools.pipeline.telling import tell_call, tell_result
from agent_tools.pipeline.validation import validate_again

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The calls of one response, and what belongs to them.

    `memory` is the turn's, for finding repeated calls. `tools` may be called beside the scope's set. The rows of
    `resumed` calls are open already. Calls that were `begun` before, and are still what they were, are only waited
    for. With a `refusal` nothing runs: every call ends with it. `announced` is set when all have been told of,
    `ending` ends them all.
    """

    calls: Sequence[ToolCall]
    scope: Scope
    memory: CallMemory = field(default_factory=CallMemory)
    tools: Sequence[AgentTool] = ()
    resumed: Collection[uuid.UUID] = ()
    begun: Mapping[uuid.UUID, Begun] = field(default_factory=dict)
    refusal: ToolResult | None = None
    announced: asyncio.Event = field(default_factory=asyncio.Event)
    ending: Ending = field(default_factory=Ending)


async def run_calls(batch: Batch, *, stop: StopSignal | None = None) -> list[CallOutcome]:
    """Run a batch and return one outcome a call, in their order, whatever went wrong.

    A stop ends calls that yield at once, writes finish first. Cancelling the caller's task does the same, and every
    row is closed before the cancellation goes on.
    """
    work = asyncio.ensure_future(_run(batch, stop))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        batch.ending.set(Reason.CANCELLED, "it was cancelled")
        await asyncio.wait({work})
        raise


async def _run(batch: Batch, stop: StopSignal | None) -> list[CallOutcome]:
    try:
        surroundings = await surroundings_of(batch.scope, batch.tools)
        calls = prepare(batch.calls, batch.scope, surroundings.tools)
        refuse_repeats(calls, batch.memory)
        await open_rows(calls, {*batch.resumed, *batch.begun})
    except DatabaseTrouble:
        logger.exception("The calls of session %s could not be recorded.", batch.scope.session_id)
        return [_not_recorded(call) for call in batch.calls]
    for running in calls:
        running.begun = running.call.id in batch.begun
        running.result = None if running.begun else batch.refusal or running.result
    try:
        async with following(stop, batch.ending):
            await _take_through(calls, surroundings.law, batch)
    finally:
        await _close_the_rest(calls)
    return [running.outcome() for running in calls]


async def _take_through(calls: Sequence[Running], law: Law, batch: Batch) -> None:
    """Announce every call and admit it or not, in order; then run what may run, group by group."""
    ending, new = batch.ending, [running for running in calls if not running.begun]
    for running in new:
        await tell_call(running)
    batch.announced.set()
    for running in new:
        if running.open and await ending.cuts_off(_admit(running, law)) and running.open:
            running.result = wording.not_started(ending.reason, ending.cause)
        if not running.open:
            await _finish(running, batch)
    for group in partition(calls):
        await run_group(group, ending, partial(_work, batch=batch), partial(_finish, batch=batch))


async def _work(running: Running, batch: Batch) -> None:
    """Run a call, or wait for it where it was begun before."""
    if running.begun:
        await join(running, batch.begun[running.call.id], batch.ending)
    else:
        await run_one(running, batch.ending)


async def _admit(running: Running, law: Law) -> None:
    """Decide whether a call may run, and with which arguments."""
    with Catching(running):
        judge_as_sent(running, law)
        await hooks.before(running)
        validate_again(running)
        judge_as_final(running, law)
        await ask_where_needed(running, law)


async def _finish(running: Running, batch: Batch) -> None:
    """Bring a call that has its result to its end; one that was begun before has had its own."""
    if running.begun:
        batch.memory.absorb(batch.begun[running.call.id].memory)
        return
    with Catching(running):
        remember(running, batch.memory)
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

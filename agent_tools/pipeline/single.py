"""Runs one call inside its time, and ends it where its batch must end."""

from __future__ import annotations

import asyncio
import math

from agent_tools.conf import conf
from agent_tools.contract.calls import CallStatus, Ran, Reason
from agent_tools.contract.interrupts import Interrupt
from agent_tools.contract.result import ToolResult
from agent_tools.pipeline import wording
from agent_tools.pipeline.clock import Clock
from agent_tools.pipeline.contexts import context_of
from agent_tools.pipeline.ending import Ending
from agent_tools.pipeline.failures import Catching, failure
from agent_tools.pipeline.progress import Reporter
from agent_tools.pipeline.results import checked
from agent_tools.pipeline.running import Running
from agent_tools.pipeline.work import Ended, Work


async def run_one(running: Running, ending: Ending) -> None:
    """Run the call and set its result; never raises. A call whose batch has ended is not begun."""
    if ending.is_set:
        running.result = wording.not_started(ending.reason, ending.cause)
        return
    with Catching(running):
        limit = _limit(running)
        harmless = is_read_only(running)
        clock, reporter = Clock(limit), Reporter(running)
        deadline = asyncio.get_running_loop().time() + limit
        work = Work(running, context_of(running, clock=clock, progress=reporter, deadline=deadline))
        running.started = True
        running.result = await _watched(work, clock, ending, running, harmless=harmless)
        clock.stop()
        running.duration_ms = clock.milliseconds
        await reporter.finish()


def is_read_only(running: Running) -> bool:
    """Tell whether the executor says that this call changes nothing."""
    bound, request = running.prepared()
    return bool(bound.executor.is_read_only(request.tool_input, bound.config))


def _limit(running: Running) -> float:
    bound, _request = running.prepared()
    own = bound.executor.timeout(bound.config)
    return float(own) if own is not None and math.isfinite(own) and own > 0 else conf.tool_timeout


async def _watched(work: Work, clock: Clock, ending: Ending, running: Running, *, harmless: bool) -> ToolResult:
    """Wait for the work, its time, or the batch's end, whichever comes first."""
    bound, _request = running.prepared()
    yields = bound.executor.interrupt is Interrupt.CANCEL
    watchers = [asyncio.ensure_future(clock.expired())]
    if yields:
        watchers.append(asyncio.ensure_future(ending.wait()))
    try:
        await asyncio.wait({work.future, *watchers}, return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:  # the loop itself is being shut down
        ending.set(Reason.CANCELLED, "the process ends")
        yields = True
    finally:
        for watcher in watchers:
            watcher.cancel()
    if work.future.done():
        return _settled(work, ending, running, harmless=harmless)
    if yields and ending.is_set:
        result, status = wording.cut_off(ending.reason, ending.cause, harmless=harmless), CallStatus.CANCELLED
    else:
        result, status = wording.timed_out(clock.limit, harmless=harmless), CallStatus.TIMEOUT
    ended = await work.end()
    if ended is Ended.NOT_AT_ALL:
        return wording.goes_on(clock.limit, status)
    return wording.never_got_a_thread(clock.limit, status) if ended is Ended.NEVER_BEGAN else result


def _settled(work: Work, ending: Ending, running: Running, *, harmless: bool) -> ToolResult:
    if work.future.cancelled():
        if ending.is_set:
            return wording.cut_off(ending.reason, ending.cause, harmless=harmless)
        return failure(RuntimeError("it cancelled itself"), running, ran=Ran.YES)
    error = work.future.exception()
    return checked(work.future.result()) if error is None else failure(error, running, ran=Ran.YES)

"""Runs one group of calls side by side, and ends the whole batch where a call says so."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from agent_tools.contract.calls import Reason
from agent_tools.pipeline.ending import Ending
from agent_tools.pipeline.failures import Logging
from agent_tools.pipeline.running import Running

MAX_PARALLEL = 32


Stage = Callable[[Running], Awaitable[None]]


async def run_group(group: Sequence[Running], ending: Ending, run: Stage, then: Stage) -> None:
    """Run the calls of a group side by side, and for each, as soon as it has ended, what comes `then`.

    A cancellation of this task does not leave the calls behind: it becomes the batch's end.
    """
    places = asyncio.Semaphore(MAX_PARALLEL)
    pending = {asyncio.ensure_future(_run(running, ending, places, run, then)) for running in group}
    while pending:
        try:
            _done, pending = await asyncio.wait(pending)
        except asyncio.CancelledError:
            ending.set(Reason.CANCELLED, "the process ends")


async def _run(running: Running, ending: Ending, places: asyncio.Semaphore, run: Stage, then: Stage) -> None:
    with Logging(f"Call {running.call.id} could not be brought to its end"):
        async with places:
            await run(running)
        if _ends_its_siblings(running):
            ending.set(Reason.SIBLING_FAILED, running.slug)
        await then(running)


def _ends_its_siblings(running: Running) -> bool:
    """Tell whether the call ran, failed, and takes the rest with it; one that never ran does not."""
    bound = running.bound
    return bool(bound and running.started and not running.ended().success and bound.executor.causes_sibling_abort)

"""A call that was begun before its batch, while the response was still being written, and how the batch joins it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from agent_tools.contract.outcome import CallOutcome
from agent_tools.pipeline.duplicates import CallMemory
from agent_tools.pipeline.ending import Ending
from agent_tools.pipeline.running import Running


@dataclass(frozen=True, slots=True)
class Begun:
    """`task` runs the call as a batch of its own, which has told of it when `announced` is set, whose end is `ending`,
    and which remembers it in `memory`.
    """

    task: asyncio.Task[list[CallOutcome]]
    announced: asyncio.Event
    ending: Ending
    memory: CallMemory

    async def until_announced(self) -> None:
        """Return once the call was told of, or has ended without."""
        await first_of(self.task, self.announced)


async def first_of(task: asyncio.Task[list[CallOutcome]], switch: asyncio.Event | Ending) -> None:
    """Return once the task is done or the switch is set."""
    switched = asyncio.ensure_future(switch.wait())
    try:
        await asyncio.wait({task, switched}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        switched.cancel()


async def join(running: Running, begun: Begun, ending: Ending) -> None:
    """Wait for the call and take its outcome over; end it where the batch it belongs to ends."""
    await first_of(begun.task, ending)
    if not begun.task.done():
        begun.ending.set(ending.reason, ending.cause)
        await asyncio.wait({begun.task})
    [outcome] = begun.task.result()
    running.result, running.duration_ms, running.closed = outcome.result, outcome.duration_ms, True

"""Tells the calls of one batch that their work should end, and why."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from agent_tools.contract.calls import Reason
from agent_tools.contract.interrupts import StopSignal

GRACE = 2.0
"""Seconds that cancelled work has to clean up."""


class Ending:
    """A one-way switch of one batch. `reason` is `cancelled` with the stop's own words as `cause`, or `sibling_failed`
    with the slug of the call that failed; the first counts.
    """

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self.reason = Reason.CANCELLED
        self.cause = ""

    @property
    def is_set(self) -> bool:
        return self._event.is_set()

    def set(self, reason: Reason, cause: str) -> None:
        if not self._event.is_set():
            self.reason, self.cause = reason, cause
            self._event.set()

    async def wait(self) -> None:
        """Return as soon as the work should end."""
        await self._event.wait()

    async def cuts_off(self, work: Coroutine[Any, Any, None]) -> bool:
        """Do the work until it is done or the switch is set; tell whether it was cut off, or never began."""
        if self.is_set:
            work.close()
            return True
        task, ended = asyncio.ensure_future(work), asyncio.ensure_future(self.wait())
        try:
            await asyncio.wait({task, ended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.cancel()
            if not task.done():
                task.add_done_callback(_retrieve)
                task.cancel()
        if not task.done():
            await asyncio.wait({task}, timeout=GRACE)
            return True
        task.result()
        return False


def _retrieve(task: asyncio.Task[None]) -> None:
    if not task.cancelled():
        task.exception()


@asynccontextmanager
async def following(stop: StopSignal | None, ending: Ending) -> AsyncIterator[None]:
    """Pass a stop on to the batch while the block runs."""
    if stop is None:
        yield
        return
    if stop.is_set:
        ending.set(Reason.CANCELLED, stop.reason)
    task = asyncio.ensure_future(_pass_on(stop, ending))
    try:
        yield
    finally:
        task.cancel()


async def _pass_on(stop: StopSignal, ending: Ending) -> None:
    await stop.wait()
    ending.set(Reason.CANCELLED, stop.reason)

"""An executor at work: as a task that can be cancelled, or in a thread that cannot."""

from __future__ import annotations

import asyncio
import logging
from enum import Enum, auto
from typing import Any

from agent_tools.contract.context import ToolContext
from agent_tools.contract.executor import BlockingToolExecutor
from agent_tools.pipeline import threads
from agent_tools.pipeline.ending import GRACE
from agent_tools.pipeline.failures import log_bug
from agent_tools.pipeline.running import Running

logger = logging.getLogger(__name__)


class Ended(Enum):
    """How work came to an end that was told to."""

    FOR_GOOD = auto()
    NEVER_BEGAN = auto()
    NOT_AT_ALL = auto()


class Work:
    """One execution. `future` is done when it has ended, with whatever the executor gave back or raised."""

    def __init__(self, running: Running, context: ToolContext) -> None:
        bound, request = running.prepared()
        self._running = running
        self._thread = None
        if isinstance(bound.executor, BlockingToolExecutor):
            self._thread = threads.submit(
                threads.tools, bound.executor.execute_blocking, request.tool_input, bound.config, context
            )
            self.future: asyncio.Future[Any] = asyncio.wrap_future(self._thread)
        else:
            self.future = asyncio.ensure_future(_execute(running, context))

    async def end(self) -> Ended:
        """Cancel it and wait a little; what it still gives back afterwards is logged and dropped."""
        never_began = self._thread is not None and self._thread.cancel()
        self.future.cancel()
        if never_began:
            return Ended.NEVER_BEGAN
        if self._thread is not None:
            self._thread.add_done_callback(self._log_late)
            return Ended.NOT_AT_ALL
        await asyncio.wait({self.future}, timeout=GRACE)
        if self.future.done():
            self._retrieve()
            return Ended.FOR_GOOD
        self.future.add_done_callback(self._log_late)
        return Ended.NOT_AT_ALL

    def _retrieve(self) -> None:
        error = None if self.future.cancelled() else self.future.exception()
        if error is not None:
            log_bug(error, self._running)

    def _log_late(self, future: Any) -> None:
        call = self._running.call
        error = None if future.cancelled() else future.exception()
        logger.warning(
            "Call %s of %r ended after it was given up: %s. What it gave back is dropped.",
            call.id,
            self._running.slug,
            "it was cancelled" if future.cancelled() else type(error).__name__ if error else "it succeeded",
        )


async def _execute(running: Running, context: ToolContext) -> Any:
    bound, request = running.prepared()
    try:
        return await bound.executor.execute(request.tool_input, bound.config, context)
    except SystemExit as error:
        raise threads.AskedToExitError("it tried to end the process") from error

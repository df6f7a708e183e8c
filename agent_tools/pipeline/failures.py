"""Turns what goes wrong in a stage into the failed result of one call, or into a line of the log."""

from __future__ import annotations

import asyncio
import logging
import traceback
from types import TracebackType
from typing import TypeGuard

from agent_tools.contract.calls import CallStatus, Ran, Reason
from agent_tools.contract.errors import AgentToolsError, ToolError, ToolTimeoutError
from agent_tools.contract.result import ToolResult
from agent_tools.pipeline.running import Running

logger = logging.getLogger(__name__)


def failure(error: BaseException, running: Running, *, ran: Ran) -> ToolResult:
    """Return the failed result for an error; what nobody foresaw is logged whole, and told vaguely."""
    if isinstance(error, AgentToolsError):
        return ToolResult.failed(
            error.message,
            reason=error.reason,
            status=CallStatus.TIMEOUT if isinstance(error, ToolTimeoutError) else CallStatus.ERROR,
            metadata=error.details if isinstance(error, ToolError) else {},
            ran=Ran.NO if isinstance(error, ToolError) and error.nothing_done else ran,
        )
    log_bug(error, running)
    effects = " Nothing was run." if ran is Ran.NO else " It may have run in part."
    return ToolResult.failed(
        f"The tool failed because of a fault inside it, which has been logged.{effects}",
        reason=Reason.INTERNAL,
        ran=Ran.NO if ran is Ran.NO else Ran.MAYBE,
    )


def log_bug(error: BaseException, running: Running) -> None:
    """Log an unforeseen error with its traceback, without the secrets of the tool's configuration."""
    trace = running.striker.text("".join(traceback.format_exception(error)))
    logger.error("Call %s of %r failed unexpectedly:\n%s", running.call.id, running.slug, trace)


def foreseen(error: BaseException | None) -> TypeGuard[BaseException]:
    """Tell whether an error ends only what raised it: any exception, an attempt to exit, and a cancellation that
    foreign code made up. A true cancellation of this task, and an interrupted process, do not stop at one call.
    """
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        return task is not None and not task.cancelling()
    return isinstance(error, Exception | SystemExit)


class Catching:
    """Ends the call where the block below raises something foreseen."""

    def __init__(self, running: Running) -> None:
        self.running = running

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not foreseen(error):
            return False
        ran = Ran.YES if self.running.started else Ran.NO
        self.running.result = failure(error, self.running, ran=ran)
        return True


class Logging:
    """Logs what the block below raises, if it is foreseen, and goes on: for what must not break a call."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not foreseen(error):
            return False
        logger.error("%s", self.what, exc_info=error)
        return True

"""Turns what goes wrong in a stage into the failed result of one call: the pipeline's one broad net."""

from __future__ import annotations

import logging
import traceback
from types import TracebackType
from typing import Self

from agent_tools.contract.calls import CallStatus, Ran, Reason
from agent_tools.contract.errors import AgentToolsError, InvalidInputError, RefusedError, ToolError, ToolTimeoutError
from agent_tools.contract.result import ToolResult
from agent_tools.pipeline.running import Running

logger = logging.getLogger(__name__)
REMOVED = "[secret removed]"


def failure(error: BaseException, running: Running, *, ran: Ran) -> ToolResult:
    """Return the failed result for an error. What nobody foresaw is logged whole, and told vaguely."""
    if isinstance(error, InvalidInputError):
        return ToolResult.failed(error.message, reason=error.reason, ran=ran)
    if isinstance(error, AgentToolsError):
        status = CallStatus.TIMEOUT if isinstance(error, ToolTimeoutError) else CallStatus.ERROR
        metadata = error.details if isinstance(error, ToolError) else {}
        done = Ran.NO if isinstance(error, RefusedError) else ran
        return ToolResult.failed(error.message, reason=error.reason, status=status, metadata=metadata, ran=done)
    log_bug(error, running)
    sentence = f"The tool {running.slug} failed because of a fault inside it, which has been logged."
    if ran is not Ran.NO:
        sentence += " It may have run in part."
    return ToolResult.failed(sentence, reason=Reason.INTERNAL, ran=Ran.NO if ran is Ran.NO else Ran.MAYBE)


def log_bug(error: BaseException, running: Running) -> None:
    """Log an unforeseen error with its traceback, secrets of the tool's configuration struck out."""
    trace = "".join(traceback.format_exception(error))
    for secret in running.secrets:
        trace = trace.replace(secret, REMOVED)
    logger.error("Call %s of %s failed unexpectedly:\n%s", running.call.id, running.slug, trace)


class Catching:
    """Ends the call where the block below raises; a cancellation and an interrupted process pass through."""

    def __init__(self, running: Running, *, ran: Ran = Ran.NO) -> None:
        self.running = running
        self.ran = ran

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception | SystemExit):
            return False
        self.running.result = failure(error, self.running, ran=self.ran)
        return True

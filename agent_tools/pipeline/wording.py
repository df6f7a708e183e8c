"""The sentences in which the pipeline tells a model how a call ended, and whether it may have run."""

from __future__ import annotations

from agent_tools.contract.calls import CallStatus, Ran, Reason
from agent_tools.contract.result import ToolResult

HARMLESS = "It changes nothing, so it can be called again."
IN_PART = "It may have run in part: check what it did before you call it again."
NO_OUTPUT = "The tool ran and gave no output."


def not_started(reason: Reason, cause: str) -> ToolResult:
    """Return the result of a call whose turn never came."""
    if reason is Reason.SIBLING_FAILED:
        sentence = f"Not run, because {cause} failed before it in the same response. Nothing was done."
        return ToolResult.failed(sentence, reason=reason, status=CallStatus.CANCELLED, ran=Ran.NO)
    sentence = f"Not run: {_because(cause)} before its turn came. Nothing was done."
    return ToolResult.failed(sentence, reason=Reason.NOT_STARTED, status=CallStatus.CANCELLED, ran=Ran.NO)


def cut_off(reason: Reason, cause: str, *, harmless: bool) -> ToolResult:
    """Return the result of a call that was ended while it ran, for a stop or a failed sibling."""
    why = f"{cause} failed in the same response" if reason is Reason.SIBLING_FAILED else _because(cause)
    sentence = f"Ended while it ran, because {why}. {HARMLESS if harmless else IN_PART}"
    return ToolResult.failed(sentence, reason=reason, status=CallStatus.CANCELLED, ran=Ran.MAYBE)


def timed_out(limit: float, *, harmless: bool) -> ToolResult:
    """Return the result of a call that was ended because its time was up."""
    sentence = f"Ended, because its time was up ({limit:g} s). {HARMLESS if harmless else IN_PART}"
    return ToolResult.failed(sentence, reason=Reason.TIMEOUT, status=CallStatus.TIMEOUT, ran=Ran.MAYBE)


def never_got_a_thread(limit: float, status: CallStatus) -> ToolResult:
    """Return the result of a blocking call that waited in vain for a free thread."""
    reason = Reason.TIMEOUT if status is CallStatus.TIMEOUT else Reason.NOT_STARTED
    sentence = f"Not run: too many other calls were at work ({limit:g} s allowed). Nothing was done; try again later."
    return ToolResult.failed(sentence, reason=reason, status=status, ran=Ran.NO)


def goes_on(limit: float, status: CallStatus) -> ToolResult:
    """Return the result of a call that cannot be ended and works on unwatched."""
    why = f"its time was up ({limit:g} s)" if status is CallStatus.TIMEOUT else "the run was stopped"
    sentence = (
        f"No longer waited for, because {why}. It could not be ended and still runs: its outcome is unknown. "
        "Check what it did before you call it again."
    )
    return ToolResult.failed(sentence, reason=Reason.STILL_RUNNING, status=status, ran=Ran.MAYBE)


def bad_result(what: str) -> ToolResult:
    """Return the result of a call whose executor gave back something that is no result."""
    sentence = f"The tool ran, but what it gave back cannot be used: {what}."
    return ToolResult.failed(sentence, reason=Reason.BAD_RESULT, ran=Ran.YES)


def interrupted() -> ToolResult:
    """Return the result of a call whose process ended while it ran."""
    sentence = f"Interrupted by a restart while it ran. {IN_PART}"
    return ToolResult.failed(sentence, reason=Reason.INTERRUPTED, status=CallStatus.INTERRUPTED, ran=Ran.MAYBE)


def not_recorded() -> ToolResult:
    """Return the result of a call for which no row could be written, without which nothing runs."""
    sentence = "Not run, because the call could not be recorded. Nothing was done; try again later."
    return ToolResult.failed(sentence, reason=Reason.INTERNAL, ran=Ran.NO)


def _because(cause: str) -> str:
    return f"the run was stopped ({cause})" if cause else "the run was stopped"

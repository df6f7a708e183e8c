"""Checks what an executor gave back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agent_tools.contract.calls import CallStatus, Ran
from agent_tools.contract.result import ToolResult
from agent_tools.pipeline import wording

FAILURES = frozenset({CallStatus.ERROR, CallStatus.TIMEOUT, CallStatus.CANCELLED})
"""How a tool's own work may fail; `denied` and `interrupted` are the pipeline's words."""


def checked(result: object) -> ToolResult:
    """Return the result if it is one, its success and status agreeing, else one that says what is wrong with it."""
    if not isinstance(result, ToolResult):
        return wording.bad_result(f"a {type(result).__name__} is no result")
    wrong = _wrong(result)
    if wrong:
        return wording.bad_result(wrong)
    if result.success:
        return replace(result, status=CallStatus.SUCCESS, error=None, reason="")
    error = result.error or result.content or "The tool failed and did not say why."
    status = result.status if result.status in FAILURES else CallStatus.ERROR
    return replace(
        result, status=status, error=error, content=result.content or error, reason=result.reason or "tool_error"
    )


def _wrong(result: ToolResult) -> str:
    """Say what is not as declared: an executor is foreign code, and types are not checked when it runs."""
    declared: tuple[tuple[object, Any, str], ...] = (
        (result.success, bool, "it does not say whether it succeeded"),
        (result.status, CallStatus, "it has no status"),
        (result.content, str, "its content is no text"),
        (result.error, str | None, "its error is no text"),
        (result.reason, str, "its reason is no text"),
        (result.metadata, Mapping, "its metadata are no object"),
        (result.ran, Ran, "it does not say whether it ran"),
    )
    return next((words for value, kind, words in declared if not isinstance(value, kind)), "")

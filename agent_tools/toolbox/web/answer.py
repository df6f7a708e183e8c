"""The result of a fetch: text for the model with what it must know before it, and facts for programs."""

from __future__ import annotations

from typing import Any

from agent_tools.contract.calls import CallStatus
from agent_tools.contract.result import ToolResult
from agent_tools.guards.network_errors import DeadlineError
from agent_tools.guards.response import Response
from agent_tools.toolbox.web.page import Page
from agent_tools.toolbox.web.remarks import remarks


def answer(
    page: Page, response: Response, *, start: int = 0, next_index: int | None = None, repeatable: bool = True
) -> ToolResult:
    """Return the result for a page that was read from the character `start` on.

    `next_index` is where it goes on after a cut; unless `repeatable`, the model is not told to ask again.
    """
    notes = remarks(page, response)
    facts = _facts(page, response)
    if start:
        notes.append(f"This is the page from character {start:,} on.")
    if response.truncated or next_index is not None:
        facts["truncated"] = True
        size = len(response.content)
        cut = "The answer was cut" if start else f"The answer was cut after {size:,} {'byte' if size == 1 else 'bytes'}"
        more = f"; to read on, fetch the same URL with start_index={next_index}."
        notes.append(cut + (more if next_index is not None and repeatable else "."))
    if next_index is not None:
        facts["next_index"] = next_index
    if notes:
        facts["warnings"] = notes
    opening = _opening(notes)
    if page.charset and repeatable:
        facts["text_at"] = len(opening)
    return ToolResult.ok(page.data, opening + page.text, facts)


def late_answer(page: Page, response: Response, error: DeadlineError) -> ToolResult:
    """Return the result for what had arrived when the time was up."""
    notes = remarks(page, response)
    facts = {**_facts(page, response), **error.details, **({"warnings": notes} if notes else {})}
    return ToolResult.failed(
        error.message,
        reason=error.reason,
        status=CallStatus.TIMEOUT,
        data=page.data,
        content=f"{error.message} What had arrived:\n\n{_opening(notes)}{page.text}",
        metadata=facts,
    )


def _opening(notes: list[str]) -> str:
    return "".join(f"[{note}]\n" for note in notes) + ("\n" if notes else "")


def _facts(page: Page, response: Response) -> dict[str, Any]:
    return {
        "status_code": response.status,
        "final_url": response.url,
        "redirects": [{"url": hop.url, "status_code": hop.status} for hop in response.hops],
        "content_type": response.content_type,
        "charset": page.charset,
        "response_size": len(response.content) or response.wire_size,
        "truncated": response.truncated,
        "duration_ms": response.elapsed_ms,
    }

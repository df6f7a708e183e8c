"""The asynchronous way to Markdown: bounded in time and memory, never without an answer."""

from __future__ import annotations

import asyncio

from agent_tools.contract.errors import ToolError
from agent_tools.text.html.markdown import DEFAULT_LIMIT, MarkdownResult, html_to_markdown
from agent_tools.text.html.plain import as_markdown, plain_text, rough_text
from agent_tools.text.pool import run

_SHARE = 0.6  # of the time for the conversion, so that some is left for the page's bare text
PLAIN = "The page could not be converted to Markdown ({reason}); this is its bare text."
ROUGH = "The page could not be parsed ({reason}); this is what stands between its tags, perhaps incomplete."


async def convert(
    html: str,
    base_url: str = "",
    *,
    main_content: bool = True,
    limit: int = DEFAULT_LIMIT,
    timeout: float = 10.0,  # noqa: ASYNC109  the deadline kills a process, which a caller's own could not
) -> MarkdownResult:
    """Convert a page as `html_to_markdown` does, within `timeout` seconds and without blocking the event loop.

    A page on which the conversion fails, or takes too long, comes back as bare text with a note that says so.
    Cancelling the awaiting task ends the work.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + timeout
    try:
        return await run(timeout * _SHARE, html_to_markdown, html, base_url, main_content=main_content, limit=limit)
    except Exception as error:  # noqa: BLE001  whatever a hostile page made fail, there is a simpler way to read it
        reason = _reason(error)
    try:
        text = await run(max(deadline - loop.time(), 0.0), plain_text, html, limit)
        note = PLAIN
    except Exception as error:  # noqa: BLE001  as above
        reason = _reason(error)
        text = rough_text(html, limit)
        note = ROUGH
    return MarkdownResult(as_markdown(text), notes=(note.format(reason=reason),), cut=len(text) >= limit)


def _reason(error: Exception) -> str:
    if isinstance(error, ToolError):
        return {"timeout": "it took too long", "worker_died": "it took too much memory"}.get(error.reason, "it failed")
    return "it took too much memory" if isinstance(error, MemoryError) else f"{type(error).__name__}"

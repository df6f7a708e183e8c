"""Keeps an output that is too long for the model as a row, and gives the model its beginning, its end and a way to
the rest.
"""

from __future__ import annotations

from dataclasses import replace

from agent_tools.pipeline.database import in_database
from agent_tools.pipeline.failures import Logging
from agent_tools.pipeline.running import Running
from agent_tools.text.trim import cut, preview
from agent_tools.workspace import outputs

READER = "read_file"
"""The tool type that can read kept outputs."""
DEFAULT_MAX = 4_000
HEAD = 0.7


async def keep_long_output(running: Running) -> None:
    """Shorten what the model reads to the executor's limit, and add what hooks have to say below it."""
    result = running.ended()
    limit = running.bound.executor.max_output_chars if running.bound else DEFAULT_MAX
    content, metadata = result.content, dict(result.metadata)
    if len(content) > limit:
        kept = False
        with Logging(f"The long output of call {running.call.id} could not be kept"):
            await in_database(_keep, running, content)
            kept = True
        metadata["shortened"] = {
            "characters": len(content),
            "kept": outputs.reference_to(running.call.id) if kept else "",
        }
        content = stub(running, content, limit, kept=kept)
    running.result = replace(result, content="\n\n".join([content, *running.notes]), metadata=metadata)


def stub(running: Running, content: str, limit: int, *, kept: bool) -> str:
    """Return what stands for a long output: its size, ways to the rest, its beginning and its end."""
    about = f"[The output has {len(content):,} characters, too many to show. {_rest(running, kept=kept)}"
    room = max(0, limit - len(about) - len(_way_on(running, limit)) - 80)
    head = int(room * HEAD)
    way = _way_on(running, len(cut(content, head).text))
    return f"{about}{way}]\n{preview(content, head, room - head)}"


def _rest(running: Running, *, kept: bool) -> str:
    if not kept:
        return "The rest could not be kept."
    reference = outputs.reference_to(running.call.id)
    reader = next((slug for slug, kind in sorted(running.tools.items()) if kind == READER), None)
    return f"It is kept whole: read the rest with {reader}, path {reference}" if reader else f"Kept as {reference}"


def _way_on(running: Running, shown: int) -> str:
    """Return how the tool itself gives the rest, after the first `shown` characters; empty where it knows no way."""
    way = ""
    if running.bound is not None and running.request is not None:
        with Logging(f"The way to the rest of call {running.call.id} could not be told"):
            way = running.bound.executor.read_on(running.request.tool_input, running.ended(), shown)
    return f"; to go on after the beginning, {way}" if way else ""


def _keep(running: Running, content: str) -> None:
    outputs.keep(call_id=running.call.id, session_id=running.scope.session_id, slug=running.slug, content=content)

"""Tells what happens to calls as events. Whoever listens cannot break a call, nor hold it for long."""

from __future__ import annotations

import asyncio
from typing import Any

from agent_tools.contract.events import Event, ToolCallEvent, ToolResultEvent
from agent_tools.contract.ports import NullSink, Sink
from agent_tools.pipeline.failures import Logging
from agent_tools.pipeline.running import Running
from agent_tools.text.masking import mask_credentials, mask_json

PATIENCE = 10.0
"""Seconds a sink may take for one event."""


async def tell(sink: Sink, event: Event) -> None:
    """Hand one event to the sink; what goes wrong there is logged."""
    if isinstance(sink, NullSink):
        return
    with Logging(f"The event {event.type} could not be told"):
        async with asyncio.timeout(PATIENCE):
            await sink.emit(event)


async def tell_call(running: Running) -> None:
    """Announce that a call was taken up."""
    event = ToolCallEvent(
        id=running.call.id, name=running.slug, arguments=mask_json(running.sent), step=running.scope.step
    )
    await tell(running.scope.ports.sink, event)


async def tell_result(running: Running) -> None:
    """Announce how a call ended."""
    result = running.ended()
    event = ToolResultEvent(
        tool_call_id=running.call.id,
        name=running.slug,
        output=mask_credentials(result.content),
        is_error=not result.success,
        metadata=_metadata(running),
        step=running.scope.step,
    )
    await tell(running.scope.ports.sink, event)


def _metadata(running: Running) -> dict[str, Any]:
    """Gather what the page shows beside the text; `data` only where it is more than a text."""
    result = running.ended()
    structured = {} if result.data is None or isinstance(result.data, str) else {"data": mask_json(result.data)}
    return {
        **mask_json(dict(result.metadata)),
        **structured,
        "status": result.status.value,
        "reason": result.reason,
        "ran": result.ran.value,
        "duration_ms": running.duration_ms,
    }

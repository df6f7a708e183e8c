"""Takes what running calls tell into the journal."""

from __future__ import annotations

from agent_tools.contract.events import Event, ToolProgressEvent
from chat.journal.recorder import Recorder


class JournalSink:
    """A `Sink` that records: progress now and then, everything else at once."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    async def emit(self, event: Event) -> None:
        if isinstance(event, ToolProgressEvent):
            await self._recorder.progress(event)
        else:
            await self._recorder.emit(event)

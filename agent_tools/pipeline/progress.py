"""Carries what a running call reports to whoever watches: throttled, the newest counts, nothing after the end."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Generator

from agent_tools.contract.events import ToolProgressEvent
from agent_tools.contract.ports import NullSink
from agent_tools.pipeline.running import Running
from agent_tools.pipeline.telling import tell
from agent_tools.text.masking import mask_text
from agent_tools.text.scrub import safe_text

INTERVAL = 0.2
"""Seconds between two events of one call."""
LONGEST = 300


class Breath:
    """Lets the event loop turn once where it is awaited, and needs no awaiting."""

    def __await__(self) -> Generator[None, None, None]:
        yield


class Reporter:
    """One call's `Progress`: never raises, never waits, may be called from any thread."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self._sink = running.scope.ports.sink
        self._watched = not isinstance(self._sink, NullSink)
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._latest: tuple[object, object] | None = None
        self._pump: asyncio.Task[None] | None = None
        self._over = asyncio.Event()

    def __call__(self, fraction: float | None, message: str = "") -> Breath:
        if self._watched and not self._over.is_set():
            if threading.get_ident() == self._thread:
                self._take(fraction, message)
            elif not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._take, fraction, message)
        return Breath()

    async def finish(self) -> None:
        """Send what is still to be sent and take nothing more."""
        self._over.set()
        if self._pump is not None:
            await self._pump

    def _take(self, fraction: object, message: object) -> None:
        if self._over.is_set():
            return
        self._latest = (fraction, message)
        if self._pump is None or self._pump.done():
            self._pump = self._loop.create_task(self._send())

    async def _send(self) -> None:
        while self._latest is not None:
            (fraction, message), self._latest = self._latest, None
            await tell(self._sink, self._event(fraction, message))
            try:
                await asyncio.wait_for(self._over.wait(), INTERVAL)
            except TimeoutError:
                continue

    def _event(self, fraction: object, message: object) -> ToolProgressEvent:
        known = isinstance(fraction, int | float) and math.isfinite(fraction)
        text = safe_text(message if isinstance(message, str) else str(message)).value
        return ToolProgressEvent(
            id=self._running.call.id,
            fraction=min(1.0, max(0.0, float(fraction))) if known else None,  # type: ignore[arg-type]
            message=mask_text(self._running.striker.text(text))[:LONGEST],
        )


def no_progress(fraction: float | None, message: str = "") -> Breath:
    """Report nothing: for what runs before the call itself."""
    return Breath()

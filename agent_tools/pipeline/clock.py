"""A call's own time: it stands still while a person is awaited."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Clock:
    """Runs from its making until `stop`, up to `limit` seconds. Belongs to one event loop."""

    def __init__(self, limit: float, now: Callable[[], float] = time.monotonic) -> None:
        self.limit = limit
        self._now = now
        self._began = now()
        self._waited = 0.0
        self._pauses = 0
        self._paused_at = 0.0
        self._stopped_at: float | None = None
        self._runs = asyncio.Event()
        self._runs.set()

    @property
    def elapsed(self) -> float:
        """Seconds of the call's own time."""
        now = self._paused_at if self._pauses else self._now()
        return (self._stopped_at if self._stopped_at is not None else now) - self._began - self._waited

    @property
    def milliseconds(self) -> int:
        return max(0, round(self.elapsed * 1000))

    def stop(self) -> None:
        """Keep the time as it is now; pauses that end later do not change it."""
        if self._stopped_at is None:
            self._stopped_at = self._paused_at if self._pauses else self._now()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stand still while the block runs; several blocks at a time count once."""
        if not self._pauses:
            self._paused_at = self._now()
            self._runs.clear()
        self._pauses += 1
        try:
            yield
        finally:
            self._pauses -= 1
            if not self._pauses:
                if self._stopped_at is None:
                    self._waited += self._now() - self._paused_at
                self._runs.set()

    async def expired(self) -> None:
        """Return once the limit is reached."""
        while self.elapsed < self.limit:
            await self._runs.wait()
            await asyncio.sleep(max(0.001, self.limit - self.elapsed))

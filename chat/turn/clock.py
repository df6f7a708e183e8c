"""The clock of a whole turn: it stands still while a person is awaited."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager


class TurnClock:
    """Counts seconds up to `limit`. Belongs to one event loop."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._spent = 0.0
        self._since = time.monotonic()
        self._waits = 0
        self._changed = asyncio.Event()

    @property
    def spent(self) -> float:
        """Seconds the turn has used up."""
        return self._spent + (0.0 if self.waiting else time.monotonic() - self._since)

    @property
    def waiting(self) -> bool:
        """Whether a person is awaited just now."""
        return self._waits > 0

    def go_on_from(self, spent: float) -> None:
        """Add what earlier runners used up."""
        self._spent += spent

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stand still inside the block; several at a time count once."""
        if not self.waiting:
            self._spent = self.spent
        self._waits += 1
        try:
            yield
        finally:
            self._waits -= 1
            if not self.waiting:
                self._since = time.monotonic()
                self._changed.set()

    async def run_out(self) -> None:
        """Return when the limit is reached."""
        while self.waiting or self.spent < self._limit:
            self._changed.clear()
            if self.waiting:
                await self._changed.wait()
            else:
                await asyncio.sleep(max(0.001, self._limit - self.spent))

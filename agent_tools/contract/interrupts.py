"""How running work is asked to end."""

from __future__ import annotations

import asyncio
from enum import StrEnum


class Interrupt(StrEnum):
    """What a person's stop does to a running call of a tool."""

    CANCEL = "cancel"
    """It ends at once; for work that changes nothing or yields safely."""

    BLOCK = "block"
    """It finishes first; for writes that must not be torn."""


class StopSignal:
    """A one-way switch that a runner sets when the person, or the process, wants the work to end.

    Belongs to one event loop. Setting it twice keeps the first reason.
    """

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self.reason = ""

    @property
    def is_set(self) -> bool:
        return self._event.is_set()

    def set(self, reason: str = "stopped by the person") -> None:
        if not self._event.is_set():
            self.reason = reason
            self._event.set()

    async def wait(self) -> None:
        """Return as soon as the signal is set."""
        await self._event.wait()

"""Writes what one turn does: deltas coalesced, everything else at once and in order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Self, TypeVar

from django.db import transaction

from agent_tools.contract.events import Event, ToolProgressEvent
from chat.database import in_database
from chat.events import TextDelta, ThinkingDelta
from chat.journal.store import Held, append, hold
from chat.models import Conversation, Turn

T = TypeVar("T")
Write = Callable[[Conversation, Turn], T]
PAUSE_SECONDS = 0.25
MOST_CHARS = 65_536
LONGEST_DELTA = 8_192


class Recorder:
    """The one writer of a held turn. Every write is one short transaction that checks the epoch first and raises
    `SupersededError` when the turn is no longer held. Use it as an async context manager.
    """

    def __init__(self, held: Held) -> None:
        self.held = held
        self._buffer: list[Event] = []
        self._chars = 0
        self._writing = asyncio.Lock()
        self._dirty = asyncio.Event()
        self._trouble: Exception | None = None
        self._pump: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._pump = asyncio.create_task(self._flush_now_and_then())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._pump is not None:
            self._pump.cancel()
            with suppress(asyncio.CancelledError):
                await self._pump

    async def delta(self, event: TextDelta | ThinkingDelta) -> None:
        """Take a piece of text; waits only when more is buffered than may be."""
        self._raise_trouble()
        last = self._buffer[-1] if self._buffer else None
        if isinstance(last, type(event)) and last.step == event.step and len(last.text) < LONGEST_DELTA:
            self._buffer[-1] = replace(last, text=last.text + event.text)
        else:
            self._buffer.append(event)
        self._chars += len(event.text)
        self._dirty.set()
        if self._chars > MOST_CHARS:
            await self.flush()

    async def progress(self, event: ToolProgressEvent) -> None:
        """Take a call's progress; only the latest of each call is kept."""
        self._raise_trouble()
        self._buffer = [
            known for known in self._buffer if not (isinstance(known, ToolProgressEvent) and known.id == event.id)
        ]
        self._buffer.append(event)
        self._dirty.set()

    async def record(self, *events: Event, write: Write[T]) -> T:
        """Store what is buffered, these events, and what `write` writes (conversation and turn are locked), in this
        order and in one transaction. Return what `write` returns.
        """
        async with self._writing:
            self._raise_trouble()
            buffered, self._buffer, self._chars = self._buffer, [], 0
            self._dirty.clear()
            return await in_database(self._store, (*buffered, *events), write)

    async def emit(self, *events: Event) -> None:
        """Store what is buffered and these events."""
        await self.record(*events, write=_nothing_more)

    async def flush(self) -> None:
        """Store what is buffered, and wait for what is being stored."""
        self._raise_trouble()
        if self._buffer or self._writing.locked():
            await self.emit()

    def _store(self, events: tuple[Event, ...], write: Write[T]) -> T:
        with transaction.atomic():
            conversation, turn = hold(self.held)
            append(conversation, events, turn_id=self.held.turn_id)
            return write(conversation, turn)

    async def _flush_now_and_then(self) -> None:
        while True:
            await self._dirty.wait()
            try:
                await self.flush()
            except Exception as error:  # noqa: BLE001 - handed to the turn, at its next word
                self._trouble = error
                return
            await asyncio.sleep(PAUSE_SECONDS)

    def _raise_trouble(self) -> None:
        if self._trouble is not None:
            raise self._trouble


def _nothing_more(conversation: Conversation, turn: Turn) -> None:
    """Write no rows."""

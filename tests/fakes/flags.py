"""Signals between a test and a server that may run in another thread: no sleeping, every wait bounded."""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import Future, InvalidStateError

PATIENCE = 10.0


class Flag:
    """Set once, awaited from any loop or thread; a wait that takes longer than ten seconds fails."""

    def __init__(self) -> None:
        self._future: Future[None] = Future()

    def set(self) -> None:
        with contextlib.suppress(InvalidStateError):
            self._future.set_result(None)

    @property
    def is_set(self) -> bool:
        return self._future.done()

    def wait(self, timeout: float = PATIENCE) -> None:
        """Block the thread."""
        self._future.result(timeout)

    async def waited(self, timeout: float | None = PATIENCE) -> None:  # noqa: ASYNC109 - a bound on the test
        """Await it in a loop."""
        async with asyncio.timeout(timeout):
            await asyncio.shield(asyncio.wrap_future(self._future))


class Gate:
    """Where a script stops: `reached` is set by the server, `open` lets it go on."""

    def __init__(self) -> None:
        self.reached = Flag()
        self._opened = Flag()

    def open(self) -> None:
        self._opened.set()

    async def passed(self) -> None:
        """Stop here until opened, however long; the server calls this."""
        self.reached.set()
        await self._opened.waited(None)

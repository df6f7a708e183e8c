"""The way from the event loop into synchronous, transactional services."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

from channels.db import database_sync_to_async

P = ParamSpec("P")
T = TypeVar("T")


async def in_database(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a service in the thread of the database and return what it returns; stale connections are closed.

    A cancellation waits until the service is through, so that nobody is left guessing whether it was committed.
    """
    work = asyncio.ensure_future(database_sync_to_async(function)(*args, **kwargs))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        while not work.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([work])
        if not work.cancelled():
            work.exception()
        raise

"""The way from the event loop into synchronous, transactional services."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import close_old_connections, connections

P = ParamSpec("P")
T = TypeVar("T")
KEPT_SECONDS = 60.0
"""How long the one thread of the database keeps a connection. Django's own setting would count for the threads of
requests too, which end with them and would leave theirs open.
"""


async def in_database(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a service in the thread of the database and return what it returns; stale connections are closed.

    A cancellation waits until the service is through, so that nobody is left guessing whether it was committed.
    """
    work = asyncio.ensure_future(sync_to_async(_with_connection)(partial(function, *args, **kwargs)))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        while not work.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([work])
        if not work.cancelled():
            work.exception()
        raise


def _with_connection(function: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return function()
    finally:
        for connection in connections.all(initialized_only=True):
            if connection.errors_occurred:
                connection.close_if_unusable_or_obsolete()
            elif connection.close_at is not None and connection.close_at <= time.monotonic():
                connection.close_at = time.monotonic() + KEPT_SECONDS

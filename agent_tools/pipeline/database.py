"""Takes synchronous work with the database out of the event loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import connections

P = ParamSpec("P")
T = TypeVar("T")


async def in_database(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run the function where this task's synchronous code runs, with a connection that works.

    Unlike Channels' `database_sync_to_async` it leaves an open transaction alone, so that a door may stand inside one.
    """
    return await sync_to_async(with_fresh_connections)(function, *args, **kwargs)


def with_fresh_connections(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run the function; before and after it let go of connections that broke or outlived their age."""
    _let_go()
    try:
        return function(*args, **kwargs)
    finally:
        _let_go()


def _let_go() -> None:
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()

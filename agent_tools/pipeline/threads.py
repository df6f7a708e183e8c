"""Bounded threads for synchronous work: blocking tools and synchronous hooks, apart from each other."""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from agent_tools.pipeline.database import with_fresh_connections

P = ParamSpec("P")
T = TypeVar("T")

tools = ThreadPoolExecutor(max_workers=32, thread_name_prefix="tool")
hooks = ThreadPoolExecutor(max_workers=8, thread_name_prefix="tool-hook")


class AskedToExitError(RuntimeError):
    """Foreign code tried to end the process."""


def submit(pool: ThreadPoolExecutor, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
    """Run the function in a thread of the pool, with the caller's context and database connections of its own."""

    def work() -> T:
        try:
            return with_fresh_connections(function, *args, **kwargs)
        except SystemExit as error:
            raise AskedToExitError("it tried to end the process") from error

    return pool.submit(contextvars.copy_context().run, work)

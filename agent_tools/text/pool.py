"""Work on untrusted input in processes that can be killed: the event loop stays free, a deadline always holds.

Workers are spawned, not forked, so that threads and event loops around them do no harm; they import only what their
tasks need, are kept warm, shared by the whole process whatever its event loops, and replaced when they are killed.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import pickle
import resource
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

from pebble import ProcessExpired, ProcessPool

from agent_tools.contract.errors import ToolError, ToolTimeoutError

P = ParamSpec("P")
T = TypeVar("T")
_NICENESS = 5
_starting = threading.Lock()
_SPARE_CPU = 5  # seconds beyond a task's time; only a worker whose parent is gone ever gets there


@dataclass(frozen=True, slots=True)
class Limits:
    """What a pool's workers may use: how many there are, bytes of address space each, tasks before a fresh start."""

    workers: int = 2
    memory: int = 1024**3
    tasks: int = 500


class _Process(SpawnProcess):
    """A spawned process that does not run its parent's main module again.

    That is a server's whole command line, or a script that can't be found (standard input). `multiprocessing` has no
    switch for it, but takes a main module without a file for none.
    """

    def start(self) -> None:
        with _starting:
            main = sys.modules["__main__"]
            sys.modules["__main__"] = ModuleType("__main__")
            try:
                super().start()
            finally:
                sys.modules["__main__"] = main


class _Context(SpawnContext):
    Process = _Process


class WorkerPool:
    """A pool of processes for functions that can be imported by name; arguments and results are pickled."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._lock = threading.Lock()
        self._pool: ProcessPool | None = None

    async def run(self, timeout: float, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:  # noqa: ASYNC109
        """Return what the function returns, or raise what it raises.

        Raises ToolTimeoutError after `timeout` seconds (waiting for a free worker counts) and ToolError when the
        worker dies. At the deadline, and when the awaiting task is cancelled, the worker is killed.
        """
        try:
            async with asyncio.timeout(timeout):
                return await self._run(timeout, function, args, kwargs)
        except TimeoutError:
            raise ToolTimeoutError(f"The work was stopped after {timeout:g} seconds.") from None

    async def _run(self, timeout: float, function: Callable[..., T], args: Any, kwargs: Any) -> T:  # noqa: ASYNC109
        task = pickle.dumps((function, args, kwargs))
        pool = self._pool
        if pool is None or not pool.active:
            pool = await asyncio.to_thread(self._renew)
        try:
            outcome = await asyncio.wrap_future(
                pool.schedule(_work, args=(task, timeout + _SPARE_CPU), timeout=timeout)
            )
        except ProcessExpired as expired:
            message = f"The process that did the work died (exit code {expired.exitcode})."
            raise ToolError(message, reason="worker_died") from None
        value, error = pickle.loads(outcome)  # noqa: S301  written by our own worker
        if error is not None:
            raise error
        result: T = value
        return result

    def _renew(self) -> ProcessPool:
        """Return the running pool, a new one where there is none or the old one is broken."""
        with self._lock:
            old, pool = self._pool, self._pool
            if pool is None or not pool.active:
                pool = self._pool = self._create()
            ready = pool.active  # starts the workers
        if old is not None and old is not pool:
            _stop(old)
        if not ready:
            raise ToolError("No process could be started for the work.", reason="worker_died")
        return pool

    def _create(self) -> ProcessPool:
        return ProcessPool(
            max_workers=self._limits.workers,
            max_tasks=self._limits.tasks,
            initializer=_prepare,
            initargs=(self._limits.memory,),
            context=_Context(),
        )

    def close(self) -> None:
        """Stop the workers; the next task starts new ones."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            _stop(pool)

    def forget(self) -> None:
        """Leave the workers to the parent process after a fork."""
        self._lock = threading.Lock()
        self._pool = None


def _stop(pool: Any) -> None:
    pool.stop()
    pool.join()


def _prepare(memory: int) -> None:
    """Set a worker up: it dies at once when told to, gives way to the server, and can't eat the machine."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)
    with contextlib.suppress(OSError, ValueError):  # macOS knows the limit but does not let it be set
        resource.setrlimit(resource.RLIMIT_AS, (memory, resource.getrlimit(resource.RLIMIT_AS)[1]))
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _work(task: bytes, seconds: float) -> bytes:
    """Run one task; what goes back is bytes, so that nothing the task returns or raises can break the pool."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    with contextlib.suppress(OSError, ValueError):
        allowed = int(used.ru_utime + used.ru_stime + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (allowed, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    try:
        function, args, kwargs = pickle.loads(task)  # noqa: S301  written by our own parent
        return pickle.dumps((function(*args, **kwargs), None))
    except Exception as error:  # noqa: BLE001  the process's edge: everything goes back to the caller
        return _pickled_error(error)


def _pickled_error(error: Exception) -> bytes:
    error.add_note("".join(traceback.format_exception(error)))
    try:
        outcome = pickle.dumps((None, error))
        pickle.loads(outcome)  # noqa: S301  its constructor may not take what it was pickled with
    except Exception:  # noqa: BLE001  any error class may fail in any way here
        return pickle.dumps((None, ToolError(f"{type(error).__name__}: {error}", reason="worker_failed")))
    return outcome


_shared = WorkerPool()
atexit.register(_shared.close)
os.register_at_fork(after_in_child=_shared.forget)


async def run(timeout: float, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:  # noqa: ASYNC109
    """Run a function in the process's shared pool; see `WorkerPool.run`."""
    return await _shared.run(timeout, function, *args, **kwargs)


def close() -> None:
    """Stop the shared pool's workers."""
    _shared.close()

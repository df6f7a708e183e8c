"""Runs one command in a sandbox, watches it, and ends it with all that it started. Blocks: call it in a thread."""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from agent_tools.guards.sandbox import tree
from agent_tools.guards.sandbox.box import Box, Level, Limits
from agent_tools.guards.sandbox.output import HeadAndTail
from agent_tools.guards.sandbox.starting import Started, started
from agent_tools.guards.sandbox.watching import Watch

TICK = 0.05
SIGNALLED = 128
GRACE = 2.0
"""Seconds between the request to end and the end."""
AT_FULL_SPEED = 8 * 1_048_576
"""Octets of output after which it is taken more slowly, so that its writer waits."""


class Canceller:
    """Ends a run from another thread."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    @property
    def is_cancelled(self) -> bool:
        return self._event.is_set()


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: `exit_code` as shells tell it (none: it was ended; 128 and a signal's number: by that),
    seconds, what it said, octets left out, and the limit that was hit: `time`, `memory`, `processes`, `workspace`,
    `cancelled` or none.
    """

    exit_code: int | None
    seconds: float
    output: str
    cut: int
    limit: str = ""


def run(
    level: Level,
    command: str,
    box: Box,
    limits: Limits,
    *,
    usage: Callable[[], tuple[int, int]] = lambda: (0, 0),
    canceller: Canceller | None = None,
) -> Ended:
    """Run a command to its end, or to that of a limit. When this returns nothing of it is left running. Raises
    `OSError` where the sandbox cannot be started.
    """
    watch = Watch(limits, usage, home=box.workspace)
    output = HeadAndTail(limits.output)
    with ExitStack() as stack:
        sandbox = stack.enter_context(started(level, command, box, limits))
        limit = _attend(sandbox, watch, output, canceller or Canceller())
    status = sandbox.process.returncode
    seconds = time.monotonic() - watch.began
    if limit:
        return Ended(None, seconds, output.text(), output.cut, limit)
    return Ended(status if status >= 0 else SIGNALLED - status, seconds, output.text(), output.cut)


def _attend(sandbox: Started, watch: Watch, output: HeadAndTail, canceller: Canceller) -> str:
    """Take the output and watch the limits until the command exits; return the limit that ended it, or nothing."""
    limit = ""
    ask_until = 0.0
    while sandbox.process.poll() is None:
        _take(sandbox, output)
        sandbox.find()
        if canceller.is_cancelled:
            return "cancelled"
        if limit:
            if time.monotonic() >= ask_until:
                return limit
            continue
        limit = watch.exceeded(sandbox.namespace)
        if limit and limit != "time":
            return limit
        if limit:
            tree.tell_to_end(sandbox.namespace)
            ask_until = time.monotonic() + GRACE
    _take(sandbox, output)
    return limit


def _take(sandbox: Started, output: HeadAndTail) -> None:
    """Take what there is, until the command exits or for a tick at most. What it left running may go on writing."""
    until = time.monotonic() + TICK
    sources = [sandbox.out, sandbox.exit]
    while (left := until - time.monotonic()) > 0:
        ready = select.select(sources, [], [], left)[0]
        octets = b""
        with suppress(BlockingIOError):
            octets = os.read(sandbox.out, 65_536) if sandbox.out in ready else b""
        output.take(octets)
        if not octets and sandbox.out in ready:
            sources.remove(sandbox.out)  # its end
        if not octets and (sandbox.exit in ready or not ready):
            return
        if output.taken > AT_FULL_SPEED:
            time.sleep(0.01)

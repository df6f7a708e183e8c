"""Runs one command in a sandbox, watches it, and ends it with all that it started. Blocks: call it in a thread."""

from __future__ import annotations

import json
import os
import platform
import secrets
import select
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from agent_tools.guards.sandbox import bubblewrap, tree, unshare
from agent_tools.guards.sandbox.box import ACCOUNTS, GROUPS, Box, Level, Limits, bounded
from agent_tools.guards.sandbox.output import HeadAndTail

TICK = 0.1
MARK = "AGENT_TOOLS_RUN"
"""The variable by which the processes of a run are found where no namespace holds them together."""
SIGNALLED = 128
GRACE = 2.0
GONE = 10.0
"""Seconds in which a killed sandbox is gone; more would be a fault of the kernel."""
AT_FULL_SPEED = 8 * 1_048_576
"""Octets of output after which it is taken more slowly, so that its writer waits."""
COUNTED_PER_NAMESPACE = (5, 14)
"""The Linux since which RLIMIT_NPROC counts the processes of a user namespace, not all of a user's."""


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


@dataclass(slots=True)
class Watch:
    """What is looked at while a command runs; `usage` measures its workspace (octets, files)."""

    limits: Limits
    usage: Callable[[], tuple[int, int]]
    began: float = field(default_factory=time.monotonic)
    first: tuple[int, int] = (0, 0)
    next_usage: float = 0.0

    def __post_init__(self) -> None:
        self.first = self.usage()
        self.next_usage = time.monotonic() + 0.25

    def exceeded(self, namespace: str) -> str:
        """Return the limit that is exceeded now, or nothing."""
        now = time.monotonic()
        if now - self.began > self.limits.seconds:
            return "time"
        if namespace:
            found = tree.census(namespace)
            if found.processes > self.limits.processes + 4:
                return "processes"
            if found.memory > self.limits.memory:
                return "memory"
        if now >= self.next_usage:
            held = self.usage()
            took = time.monotonic() - now
            self.next_usage = now + max(0.25, 10 * took)
            bounds = (self.limits.workspace, self.limits.files)
            if any(
                have > bound and have > before for have, bound, before in zip(held, bounds, self.first, strict=True)
            ):
                return "workspace"
        return ""


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
    watch = Watch(limits, usage)
    output = HeadAndTail(limits.output)
    with ExitStack() as stack:
        started = stack.enter_context(_started(level, command, box, limits))
        limit = _attend(started, watch, output, canceller or Canceller())
    status = started.process.returncode
    seconds = time.monotonic() - watch.began
    if limit:
        return Ended(None, seconds, output.text(), output.cut, limit)
    return Ended(status if status >= 0 else SIGNALLED - status, seconds, output.text(), output.cut)


@dataclass(slots=True)
class _Started:
    process: subprocess.Popen[bytes]
    out: int
    mark: str
    first: int = 0  # the namespace's first process, as seen from here
    namespace: str = ""
    pidfd: int = -1

    def find(self) -> None:
        """Learn the namespace, once it is there."""
        if self.namespace or not self.first:
            return
        found = tree.namespace_of(self.first)
        if found and found != tree.namespace_of(os.getpid()):
            self.namespace = found


@contextmanager
def _started(level: Level, command: str, box: Box, limits: Limits) -> Iterator[_Started]:
    with ExitStack() as stack:
        out, out_end = os.pipe()
        stack.callback(os.close, out)
        info, info_end = os.pipe()
        stack.callback(os.close, info)
        try:
            environment = _bare_environment()
            arguments, passed = _command_line(level, command, box, limits, info_end, stack)
            process = subprocess.Popen(  # noqa: S603 - the sandbox is what makes this safe
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=out_end,
                stderr=out_end,
                pass_fds=passed,
                env=environment,
                start_new_session=True,
                cwd="/",
            )
        finally:
            os.close(out_end)
            os.close(info_end)
        os.set_blocking(out, False)
        started = _Started(process, out, environment["MARK"])
        started.first = _first_process(level, info, process)
        started.find()
        with suppress(OSError):
            started.pidfd = os.pidfd_open(started.first or process.pid)
            stack.callback(os.close, started.pidfd)
        try:
            yield started
        finally:
            _end(started, level)


def _bare_environment() -> dict[str, str]:
    """Return the sandbox programs' own environment. It can be read from inside: it holds nothing of the server's."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "MARK": secrets.token_hex(16)}


def _command_line(
    level: Level, command: str, box: Box, limits: Limits, info: int, stack: ExitStack
) -> tuple[list[str], list[int]]:
    shell = bounded(command, limits, processes=_counts_processes())
    if level is Level.BUBBLEWRAP:
        passwd, group = (_readable(stack, text.encode()) for text in (ACCOUNTS, GROUPS))
        options = bubblewrap.options(box, limits, passwd, group)
        # The options name folders of this machine, and a command line can be read from inside.
        given = _readable(stack, "".join(f"{option}\0" for option in options).encode())
        arguments = [bubblewrap.PROGRAM, "--args", str(given), "--info-fd", str(info), *shell]
        return arguments, [passwd, group, given, info]
    if level is Level.UNSHARE:
        root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="agent-tools-root-")))
        script = unshare.script(box, limits, root)
        given = _readable(stack, script.encode())
        return [unshare.PROGRAM, *unshare.OPTIONS, "sh", f"/dev/fd/{given}", *shell], [given]
    moved = f'cd "$1" && shift && exec env -i PATH="$PATH" HOME="$PWD" LC_ALL=C.UTF-8 {MARK}="$MARK" "$@"'
    return ["sh", "-c", moved, "sh", str(box.workspace), *shell], []


def _counts_processes() -> bool:
    release = platform.release().split(".")
    try:
        return (int(release[0]), int(release[1])) >= COUNTED_PER_NAMESPACE
    except (IndexError, ValueError):
        return False


def _readable(stack: ExitStack, octets: bytes) -> int:
    """Return a descriptor from which these octets are read."""
    file = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
    file.write(octets)
    file.flush()
    file.seek(0)
    return file.fileno()


def _first_process(level: Level, info: int, process: subprocess.Popen[bytes]) -> int:
    """Return the first process inside, as it is numbered out here; 0 where there is none."""
    if level is Level.BUBBLEWRAP:
        told = b""
        while select.select([info], [], [], GONE)[0] and (piece := os.read(info, 4_096)):
            told += piece
            with suppress(ValueError, KeyError):
                return int(json.loads(told)["child-pid"])
        return 0
    if level is Level.UNSHARE:
        until = time.monotonic() + GONE
        while time.monotonic() < until and process.poll() is None:
            with suppress(OSError, ValueError, IndexError):
                children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
                return int(children[0])
            time.sleep(0.005)
    return 0


def _attend(started: _Started, watch: Watch, output: HeadAndTail, canceller: Canceller) -> str:
    """Take the output and watch the limits until the command exits; return the limit that ended it, or nothing."""
    limit = ""
    ask_until = 0.0
    while started.process.poll() is None:
        _take(started.out, output, TICK)
        started.find()
        if canceller.is_cancelled:
            return "cancelled"
        if limit:
            if time.monotonic() >= ask_until:
                return limit
            continue
        limit = watch.exceeded(started.namespace)
        if limit and limit != "time":
            return limit
        if limit:
            tree.tell_to_end(started.namespace)
            ask_until = time.monotonic() + GRACE
    _take(started.out, output, 0)
    return limit


def _take(out: int, output: HeadAndTail, seconds: float) -> None:
    """Take what there is, for a tick at most."""
    until = time.monotonic() + seconds
    ready = select.select([out], [], [], seconds)[0]
    while ready:
        try:
            octets = os.read(out, 65_536)
        except BlockingIOError:
            return
        if not octets:
            time.sleep(max(0.0, until - time.monotonic()))
            return
        output.take(octets)
        if output.taken > AT_FULL_SPEED:
            time.sleep(0.01)
        if time.monotonic() >= until and seconds:
            return


def _end(started: _Started, level: Level) -> None:
    """Kill what is left, and wait until it is gone."""
    process = started.process
    if level is Level.LIMITS_ONLY:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        _end_marked(f"{MARK}={started.mark}")
    with suppress(OSError):
        process.kill()
    process.wait()
    if started.first:
        with suppress(OSError):
            if started.pidfd >= 0:
                signal.pidfd_send_signal(started.pidfd, signal.SIGKILL)
    if started.pidfd >= 0:
        select.select([started.pidfd], [], [], GONE)


def _end_marked(mark: str) -> None:
    """Kill what left the group of its command. One that hides its environment gets away: this level is no sandbox."""
    until = time.monotonic() + GONE
    while (left := tree.marked(mark)) and time.monotonic() < until:
        for pid in left:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)

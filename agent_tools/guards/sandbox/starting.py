"""Starts a sandbox with a command in it, and ends it with all that is in it."""

from __future__ import annotations

import json
import os
import platform
import secrets
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from agent_tools.guards.sandbox import bubblewrap, tree, unshare
from agent_tools.guards.sandbox.box import ACCOUNTS, ENVIRONMENT, GROUPS, Box, Level, Limits, bounded

MARK = "AGENT_TOOLS_RUN"
"""The variable by which the processes of a run are found where no namespace holds them together."""
GONE = 10.0
"""Seconds in which a killed sandbox is gone; more would be a fault of the kernel."""
COUNTED_PER_NAMESPACE = (5, 14)
"""The Linux since which RLIMIT_NPROC counts the processes of a user namespace, not all of a user's."""


@dataclass(slots=True)
class Started:
    """A sandbox at work: the process that holds it, where its output comes from, and how it is known from here."""

    process: subprocess.Popen[bytes]
    out: int
    exit: int  # readable when the process has exited
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
def started(level: Level, command: str, box: Box, limits: Limits) -> Iterator[Started]:
    """Start a command; when the block ends, nothing of it is left. Raises `OSError`."""
    with ExitStack() as stack:
        out, out_end = os.pipe()
        stack.callback(os.close, out)
        info, info_end = os.pipe()
        stack.callback(os.close, info)
        try:
            environment = _bare_environment()
            arguments, passed = _command_line(level, command, box, limits, info_end, stack)
            process = subprocess.Popen(  # noqa: S603 - the sandbox is what makes this safe
                [*_giving_way(), shutil.which(arguments[0]) or arguments[0], *arguments[1:]],
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
        exited = os.pidfd_open(process.pid)
        stack.callback(os.close, exited)
        begun = Started(process, out, exited, environment["MARK"])
        try:
            begun.first = _first_process(level, info, process)
            begun.find()
            with suppress(OSError):
                begun.pidfd = os.pidfd_open(begun.first or process.pid)
                stack.callback(os.close, begun.pidfd)
            yield begun
        finally:
            _end(begun, level)


def _bare_environment() -> dict[str, str]:
    """Return the sandbox programs' own environment. It can be read from inside: it holds nothing of the server's."""
    return {"PATH": ENVIRONMENT["PATH"], "LC_ALL": "C", "MARK": secrets.token_hex(16)}


def _giving_way() -> list[str]:
    """Return what lets the server go before whatever runs inside (chrt(1), SCHED_IDLE), so that it stays in command."""
    return ["chrt", "--idle", "0"] if shutil.which("chrt") else []


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
        reading = f". /dev/fd/{given}"  # the script closes the descriptor before the command begins
        return [*unshare.WITH_PARENT, unshare.PROGRAM, *unshare.OPTIONS, "sh", "-c", reading, "sh", *shell], [given]
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


def _end(started: Started, level: Level) -> None:
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

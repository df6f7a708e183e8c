"""Short ways to run commands in a sandbox and to look at what they leave, for tests."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from agent_tools.guards.sandbox.box import MEBI, Box, Level, Limits
from agent_tools.guards.sandbox.running import Canceller, Ended, run

ROOT = Path(__file__).resolve().parents[2]
SMALL = Limits(seconds=20.0, processes=40, memory=400 * MEBI, workspace=60 * MEBI, file_size=20 * MEBI, files=500)


def usage(home: Path) -> tuple[int, int]:
    states = []
    for folder, _names, files in os.walk(home):
        for name in files:
            try:
                states.append((Path(folder) / name).lstat())
            except OSError:
                continue
    return sum(state.st_blocks * 512 for state in states), len(states)


def sh(level: Level, home: Path, command: str, limits: Limits = SMALL, canceller: Canceller | None = None) -> Ended:
    return run(level, command, Box(workspace=home), limits, usage=lambda: usage(home), canceller=canceller)


def within(seconds: float, test: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if test():
            return True
        time.sleep(0.05)
    return False


def running(argument: str) -> list[int]:
    """Return the processes of this machine with an argument."""
    found = []
    for path in Path("/proc").iterdir():
        try:
            if path.name.isdigit() and argument.encode() in (path / "cmdline").read_bytes().split(b"\0"):
                found.append(int(path.name))
        except OSError:
            continue
    return found

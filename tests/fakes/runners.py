"""Processes that run turns and can be killed by the dozen: forked from one that has everything loaded.

As a program it forks a runner for each line it reads, and prints the runner's process id.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Self

from tests.fakes.marks import TYPES, VARIABLE

ROOT = Path(__file__).resolve().parents[2]
LEASE_SECONDS = 0.6


class Runners:
    """The parent of the runners; leaving the block kills them all."""

    def __init__(self, folder: Path, database: str) -> None:
        self.log = folder / "runners.log"
        self.marks = folder / "marks"
        self._environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("PYTEST")},
            "DATABASE_URL": database,
            "DATA_DIR": str(folder / "data"),
            "PYTHONWARNINGS": "ignore",
            VARIABLE: str(self.marks),
        }
        self.pids: set[int] = set()

    def __enter__(self) -> Self:
        with self.log.open("ab") as log:
            self._parent = subprocess.Popen(
                [sys.executable, "-m", "tests.fakes.runners"],
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
            )
        assert self._read() == 0, self.log.read_text()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill_all()
        self._parent.kill()
        self._parent.communicate(timeout=10)

    def fork(self) -> int:
        """Start a runner and return its process id."""
        assert self._parent.stdin is not None
        self._parent.stdin.write(b"fork\n")
        self._parent.stdin.flush()
        pid = self._read()
        self.pids.add(pid)
        return pid

    def kill(self, pid: int) -> None:
        """End a runner with SIGKILL."""
        self.pids.discard(pid)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    def kill_all(self) -> None:
        """End all runners."""
        for pid in list(self.pids):
            self.kill(pid)

    def _read(self) -> int:
        assert self._parent.stdout is not None
        line = self._parent.stdout.readline()
        assert line, self.log.read_text()
        return int(line)


async def _run() -> None:
    from chat.ports.process import process

    process()
    await asyncio.Event().wait()


def _main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.conf import settings  # noqa: TID251 - a runner that is taken over soon

    import chat.ports.process  # noqa: F401
    from agent_tools.registry import registry
    from chat.llm import transport

    settings.CHAT = {**settings.CHAT, "LEASE_SECONDS": LEASE_SECONDS}
    transport._libraries()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    sys.stdout.write("0\n")
    sys.stdout.flush()
    with registry.extended(TYPES):
        for _ in sys.stdin:
            pid = os.fork()
            if not pid:
                asyncio.run(_run())
            sys.stdout.write(f"{pid}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    _main()

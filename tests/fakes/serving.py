"""Real web processes on the test's own database: started, asked, killed."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Collection
from pathlib import Path
from typing import Self
from urllib.error import URLError
from urllib.request import urlopen

from django.db import connection

from tests.fakes.marks import VARIABLE

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def database_url() -> str:
    """The address of the test's own database."""
    name = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{name['NAME']}"
    return f"postgres://{name['USER']}:{name['PASSWORD']}@{name['HOST']}:{name['PORT']}/{name['NAME']}"


def until_gone(pids: Collection[int], seconds: float = 20.0) -> None:
    """Wait until none of the processes lives."""
    until = time.monotonic() + seconds
    while left := [pid for pid in pids if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < until, left
        time.sleep(0.05)


class Serving:
    """One process of `serve`, its output in a file. Leaving the block kills it."""

    def __init__(self, folder: Path, *, name: str = "web", **environment: str) -> None:
        self.port = free_port()
        self.log = folder / f"{name}-{self.port}.log"
        self.marks = folder / "marks"
        self._environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("PYTEST")},
            "DATABASE_URL": database_url(),
            "DATA_DIR": str(folder / "data"),
            "CHAT_LEASE_SECONDS": "3",
            "PYTHONWARNINGS": "ignore",
            VARIABLE: str(self.marks),
            **environment,
        }
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Self:
        """Start it, and return without waiting."""
        arguments = [sys.executable, "-m", "tests.fakes.marks", "serve", "--port", str(self.port)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                arguments, cwd=ROOT, env=self._environment, stdout=log, stderr=subprocess.STDOUT
            )
        return self

    async def ready(self) -> Self:
        """Wait until it answers."""
        await asyncio.to_thread(self._wait)
        return self

    def _wait(self) -> None:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            assert self._process is not None
            assert self._process.poll() is None, self.output
            try:
                with urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5):
                    return
            except (URLError, OSError):
                time.sleep(0.05)
        raise TimeoutError(self.output)

    @property
    def output(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    @property
    def memory(self) -> int:
        """Resident memory of the process in bytes."""
        assert self._process is not None
        status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")) * 1024

    @property
    def children(self) -> list[int]:
        """The processes that it has started and that live."""
        assert self._process is not None
        tasks = Path(f"/proc/{self._process.pid}/task").glob("*/children")
        return [int(pid) for task in tasks for pid in task.read_text(encoding="ascii").split()]

    def kill(self) -> None:
        """End it with SIGKILL."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(10)

    async def terminate(self) -> int:
        """End it with SIGTERM and return its exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return await asyncio.to_thread(self._process.wait, 40)

    async def __aenter__(self) -> Self:
        if self._process is None:
            self.start()
        return await self.ready()

    async def __aexit__(self, *_: object) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()

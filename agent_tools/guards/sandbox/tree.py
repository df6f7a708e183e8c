"""The processes of a sandbox, as the kernel tells them: those of one PID namespace (proc(5), pid_namespaces(7))."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Census:
    """How many processes there are, and the octets of memory that they hold together."""

    processes: int
    memory: int


def namespace_of(pid: int) -> str:
    """Return the name of a process's PID namespace; empty when the process is gone."""
    try:
        return str((PROC / str(pid) / "ns" / "pid").readlink())
    except OSError:
        return ""


def members(namespace: str) -> list[int]:
    """Return the processes of a namespace."""
    pids = (int(name) for name in os.listdir(PROC) if name.isdigit())  # noqa: PTH208 - names are enough
    return [pid for pid in pids if namespace and namespace_of(pid) == namespace]


def marked(mark: str) -> list[int]:
    """Return the processes that have a mark in their environment, as far as it can be read."""
    found = []
    for name in os.listdir(PROC):  # noqa: PTH208 - names are enough
        with suppress(OSError):
            if name.isdigit() and mark.encode() in (PROC / name / "environ").read_bytes():
                found.append(int(name))
    return found


def census(namespace: str) -> Census:
    """Count a namespace's processes and their memory."""
    pids = members(namespace)
    return Census(len(pids), sum(_resident(pid) for pid in pids))


def tell_to_end(namespace: str) -> None:
    """Send SIGTERM to all processes of a namespace."""
    for pid in members(namespace):
        with suppress(OSError):
            os.kill(pid, signal.SIGTERM)


def _resident(pid: int) -> int:
    try:
        fields = (PROC / str(pid) / "statm").read_text().split()
        return (int(fields[1]) - int(fields[2]) // 2) * _PAGE
    except (OSError, ValueError, IndexError):
        return 0

"""The processes of a sandbox, as the kernel tells them: those of one PID namespace (proc(5), pid_namespaces(7))."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
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


def members(namespace: str) -> Iterator[int]:
    """Give the processes of a namespace, as they are numbered out here."""
    for name in os.listdir(PROC) if namespace else ():  # noqa: PTH208 - names are enough
        if name.isdigit() and namespace_of(int(name)) == namespace:
            yield int(name)


def marked(mark: str) -> list[int]:
    """Return the processes that have a mark in their environment, as far as it can be read."""
    found = []
    for name in os.listdir(PROC):  # noqa: PTH208 - names are enough
        with suppress(OSError):
            if name.isdigit() and mark.encode() in (PROC / name / "environ").read_bytes():
                found.append(int(name))
    return found


def census(namespace: str, most: int) -> Census:
    """Count a namespace's processes and their memory; beyond `most` processes there is no use in counting on."""
    processes = memory = 0
    for pid in members(namespace):
        processes += 1
        if processes > most:
            break
        memory += _resident(pid)
    return Census(processes, memory)


def tell_to_end(namespace: str) -> None:
    """Send SIGTERM to all processes of a namespace."""
    for pid in list(members(namespace)):
        with suppress(OSError):
            os.kill(pid, signal.SIGTERM)


def _resident(pid: int) -> int:
    try:
        fields = (PROC / str(pid) / "statm").read_text().split()
        return (int(fields[1]) - int(fields[2]) // 2) * _PAGE
    except (OSError, ValueError, IndexError):
        return 0

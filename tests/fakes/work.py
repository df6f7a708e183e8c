"""Work of every temper for a pool of processes, by names that a worker can import."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable


class StubbornError(Exception):
    """An error that can be pickled but not built again."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first)
        self.second = second


def add(first: int, second: int) -> int:
    return first + second


def process_id() -> int:
    return os.getpid()


def modules() -> list[str]:
    return list(sys.modules)


def spin() -> None:
    while True:
        pass


def hold_and_spin(pipe: str) -> None:
    """Open a named pipe, which its reader can wait for, and keep it open as long as this process lives."""
    with open(pipe, "w", encoding="utf-8"):  # noqa: PTH123  a worker imports as little as it can
        spin()


def take_memory(size: int) -> int:
    return len(bytearray(size))


def die() -> None:
    os._exit(3)


def refuse(message: str) -> None:
    raise ValueError(message)


def raise_stubborn() -> None:
    first = "stubborn"
    raise StubbornError(first, "error")


def unpicklable() -> Callable[[], int]:
    return lambda: 1


def nap(seconds: float) -> float:
    time.sleep(seconds)
    return seconds

"""Looks at what a running command uses, and says which limit it exceeds."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from agent_tools.guards.sandbox import tree
from agent_tools.guards.sandbox.box import Limits

OWN = 4
"""Processes of the sandbox itself."""
LEAST_PAUSE = 0.25
SPARE = 512 * 1_048_576
"""Octets that others may write to the same disk meanwhile."""


@dataclass(slots=True)
class Watch:
    """What is looked at while a command runs: `usage` measures its workspace (octets, files), `home` is on its disk."""

    limits: Limits
    usage: Callable[[], tuple[int, int]]
    began: float = field(default_factory=time.monotonic)
    home: Path = Path("/")
    first: tuple[int, int] = (0, 0)
    free: int = 0
    next_usage: float = 0.0

    def __post_init__(self) -> None:
        self.first = self.usage()
        self.free = shutil.disk_usage(self.home).free
        self.next_usage = time.monotonic() + LEAST_PAUSE

    def exceeded(self, namespace: str) -> str:
        """Return the limit that is exceeded now, or nothing."""
        now = time.monotonic()
        if now - self.began > self.limits.seconds:
            return "time"
        if namespace:
            most = self.limits.processes + OWN
            found = tree.census(namespace, most)
            if found.processes > most:
                return "processes"
            if found.memory > self.limits.memory:
                return "memory"
        if now >= self.next_usage:
            held = self.usage()
            took = time.monotonic() - now
            self.next_usage = now + max(LEAST_PAUSE, 10 * took)
            bounds = (self.limits.workspace, self.limits.files)
            if any(
                have > bound and have > before for have, bound, before in zip(held, bounds, self.first, strict=True)
            ):
                return "workspace"
            # What is deleted while it is open takes room that no walk through the folders sees.
            if self.free - shutil.disk_usage(self.home).free > self.limits.workspace + SPARE:
                return "workspace"
        return ""

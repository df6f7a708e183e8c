"""Finds the best isolation that works here, by running a command in it and looking at what that command sees."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from agent_tools.contract.errors import UnavailableError
from agent_tools.guards.sandbox import bubblewrap, unshare
from agent_tools.guards.sandbox.box import MEBI, Box, Level, Limits
from agent_tools.guards.sandbox.running import Ended, run

ACCEPTED = "commands may read and change this server"
"""The words by which an operator accepts commands without isolation."""
OFF, AUTO = "off", "auto"
CHECK = (
    "test ! -e /etc/shadow && test ! -e /home && test ! -e /root && ! touch /x 2>/dev/null"
    " && ! touch /usr/x 2>/dev/null && touch /workspace/probe /tmp/probe && test $(wc -l < /proc/net/dev) -le 3"
    " && echo isolated"
)
REMEDIES = {
    Level.BUBBLEWRAP: (
        "Install it with `apt install bubblewrap`. In a container allow user namespaces: the default seccomp profile "
        "of Docker forbids them, and Ubuntu from 23.10 on needs an AppArmor profile for bwrap."
    ),
    Level.UNSHARE: (
        "Install util-linux, and allow user namespaces (kernel.unprivileged_userns_clone=1 and "
        "user.max_user_namespaces above 0)."
    ),
}


@dataclass(frozen=True, slots=True)
class Found:
    """The level that works, or none, and why each better one does not."""

    level: Level | None
    failures: dict[Level, str]

    def need(self) -> Level:
        """Return the level; raises `UnavailableError` with the remedies where there is none."""
        if self.level is not None:
            return self.level
        tried = " ".join(f"{level}: {why} {REMEDIES.get(level, '')}" for level, why in self.failures.items())
        raise UnavailableError(
            f"Commands cannot be kept apart from this server, so none is run. {tried or 'SANDBOX is off.'} "
            "Run manage.py doctor for the details.",
            reason="no_sandbox",
        )


_known: dict[tuple[str, str], Found] = {}
_lock = threading.Lock()


def find(wanted: str, accepted: str, *, anew: bool = False) -> Found:
    """Return what works here; `wanted` is `auto`, `off` or the one level to try, `accepted` the words (if any) by which
    the operator lives without isolation. What was found is remembered for the life of the process.
    """
    with _lock:
        key = (wanted, accepted)
        if anew or key not in _known:
            _known[key] = _find(wanted, accepted)
        return _known[key]


def _find(wanted: str, accepted: str) -> Found:
    failures: dict[Level, str] = {}
    if wanted == OFF:
        return Found(None, failures)
    for level in (Level.BUBBLEWRAP, Level.UNSHARE):
        if wanted not in {AUTO, level}:
            continue
        why = failure_of(level)
        if not why:
            return Found(level, failures)
        failures[level] = why
    if accepted.strip() == ACCEPTED:
        return Found(Level.LIMITS_ONLY, failures)
    return Found(None, failures)


def failure_of(level: Level) -> str:
    """Return why a level does not work here; empty when it does."""
    program = bubblewrap.PROGRAM if level is Level.BUBBLEWRAP else unshare.PROGRAM
    if shutil.which(program) is None:
        return f"{program} is not installed."
    with tempfile.TemporaryDirectory(prefix="agent-tools-probe-") as folder:
        try:
            ended: Ended = run(level, CHECK, Box(workspace=Path(folder)), Limits(seconds=10.0, temporary=MEBI))
        except OSError as error:
            return f"It cannot be started ({os.strerror(error.errno or 0)})."
    if ended.output.strip().endswith("isolated"):
        return ""
    return f"It does not isolate here ({ended.output.strip()[-200:] or 'a command sees too much'})."

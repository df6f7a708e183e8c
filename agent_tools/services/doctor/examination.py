"""Runs the trials against what this machine really has: a listener, files, the server's own environment."""

from __future__ import annotations

import os
import secrets
import socket
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from agent_tools.conf import conf
from agent_tools.guards.files.beneath import has_openat2
from agent_tools.guards.sandbox import probe
from agent_tools.guards.sandbox.box import Box, Level
from agent_tools.guards.sandbox.running import Ended, run
from agent_tools.services.doctor.trials import SMALL, Surroundings, Trial, trials
from agent_tools.workspace.folders import folder_of, forget, roots_of, usage

LONGEST_EVIDENCE = 200
VARIABLE = "AGENT_TOOLS_DOCTOR"
PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Finding:
    """What one trial showed: whether it is held, and the evidence in a line."""

    name: str
    held: bool
    evidence: str


@dataclass(frozen=True, slots=True)
class Examination:
    """What was measured: the level that commands run at (none: they are refused), why better ones do not work, each
    trial's finding, whether the kernel helps to open files, and the seconds it took.
    """

    level: Level | None
    failures: dict[str, str]
    findings: tuple[Finding, ...]
    kernel_opens_beneath: bool
    seconds: float

    @property
    def is_sound(self) -> bool:
        """Tell whether everything is held; no commands at all are sound, too."""
        return all(finding.held for finding in self.findings)


def examine() -> Examination:
    """Measure; takes some ten seconds. Blocks."""
    began = time.monotonic()
    found = probe.find(conf.sandbox, conf.shell_without_isolation, anew=True)
    failures = {str(level): f"{why} {probe.REMEDIES.get(level, '')}" for level, why in found.failures.items()}
    findings: tuple[Finding, ...] = ()
    if found.level is not None:
        with _surroundings() as (aims, workspace_id):
            findings = tuple(_try(found.level, trial, workspace_id) for trial in trials(aims))
            findings += (_leftover(found.level, aims, workspace_id),)
    return Examination(found.level, failures, findings, has_openat2(), time.monotonic() - began)


@contextmanager
def _surroundings() -> Iterator[tuple[Surroundings, uuid.UUID]]:
    secret = secrets.token_hex(16)
    workspace_id, other_id = uuid.uuid4(), uuid.uuid4()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        roots_of(workspace_id)
        roots_of(other_id)
        file = folder_of(other_id) / "secret"
        file.write_text(secret)
        os.environ[VARIABLE] = secret
        try:
            leftover = 1_000_000 + secrets.randbelow(1_000_000_000)
            project = conf.hidden_dirs[0] if conf.hidden_dirs else Path.cwd()
            yield Surroundings(listener.getsockname()[1], secret, file, project, leftover), workspace_id
        finally:
            del os.environ[VARIABLE]
            forget(workspace_id)
            forget(other_id)


def _try(level: Level, trial: Trial, workspace_id: uuid.UUID) -> Finding:
    for left in folder_of(workspace_id).iterdir():
        with suppress(OSError):
            left.unlink()
    try:
        ended = _run(level, trial, workspace_id)
    except OSError as error:
        return Finding(str(trial.name), False, _("It could not be tried: %(error)s") % {"error": error.strerror})
    return Finding(str(trial.name), trial.held(ended), _evidence(ended))


def _run(level: Level, trial: Trial, workspace_id: uuid.UUID) -> Ended:
    def held() -> tuple[int, int]:
        now = usage(workspace_id)
        return now.octets, now.files

    box = Box(workspace=folder_of(workspace_id), hidden=conf.hidden_dirs)
    return run(level, trial.command, box, trial.limits, usage=held)


def _leftover(level: Level, aims: Surroundings, workspace_id: uuid.UUID) -> Finding:
    command = f"(setsid sleep {aims.leftover} &); nohup sleep {aims.leftover} > /dev/null & echo left"
    ended = _run(level, Trial("", command, lambda _ended: True, SMALL), workspace_id)
    left = [path.parent.name for path in PROC.glob("[0-9]*/cmdline") if str(aims.leftover) in _text(path)]
    evidence = _("%(count)d of its processes are left.") % {"count": len(left)}
    return Finding(_("Processes that a command leaves behind"), not left and "left" in ended.output, evidence)


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def _evidence(ended: Ended) -> str:
    if ended.limit:
        return _("ended at its limit (%(limit)s) after %(seconds).1f s") % {
            "limit": ended.limit,
            "seconds": ended.seconds,
        }
    said = " ".join(ended.output.split())
    return said[:LONGEST_EVIDENCE] + ("…" if len(said) > LONGEST_EVIDENCE else "") or _("nothing was seen")

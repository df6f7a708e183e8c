"""The folders of workspaces: one for each conversation and its sub-agents, made when first needed, bounded in size."""

from __future__ import annotations

import logging
import stat
import subprocess
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_tools.conf import conf
from agent_tools.guards.files.errors import FileRefusedError
from agent_tools.guards.files.roots import LIBRARY, SKILLS, WORKSPACE, Root, Roots
from agent_tools.guards.files.walking import DEEPEST, walk

logger = logging.getLogger(__name__)
DAY = 86_400
BLOCK = 512
"""Octets of the unit in which `st_blocks` counts (stat(2))."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a workspace holds: octets that are really allocated, so that holes count for nothing, files and folders.
    What is `uncountable`, too deep or closed, counts as more than anybody may have.
    """

    octets: int
    files: int
    uncountable: bool = False


def folder_of(workspace_id: uuid.UUID) -> Path:
    """Return where a workspace's files are, whether or not there are any yet."""
    return conf.workspaces_dir / workspace_id.hex


def roots_of(workspace_id: uuid.UUID) -> Roots:
    """Return the roots that exist for a workspace's tools, with its folder made (mode 0700)."""
    folder = folder_of(workspace_id)
    conf.workspaces_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    return Roots(
        [Root(WORKSPACE, folder, writable=True), Root(LIBRARY, conf.library_dir), Root(SKILLS, conf.skills_dir)]
    )


def usage(workspace_id: uuid.UUID) -> Usage:
    """Measure a workspace; one that does not exist holds nothing."""
    if not folder_of(workspace_id).is_dir():
        return Usage(0, 0)
    roots = roots_of(workspace_id)
    octets = files = 0
    uncountable = False
    for entry in walk(roots, roots.find(WORKSPACE)):
        files += 1
        if entry.is_folder:
            closed = entry.state.st_mode & stat.S_IRWXU != stat.S_IRWXU
            uncountable = uncountable or closed or len(entry.place.parts) > DEEPEST
        else:
            octets += entry.state.st_blocks * BLOCK
    return Usage(octets, files, uncountable)


def check_room(workspace_id: uuid.UUID, more: int, *, files: int = 1) -> None:
    """Refuse `more` octets, or more `files`, that a workspace has no room for; raises `FileRefusedError`."""
    held = usage(workspace_id)
    if held.uncountable:
        raise FileRefusedError(
            f"The workspace has folders that are closed or more than {DEEPEST} deep, so what it holds cannot be "
            "counted. Open or delete them.",
            reason="quota",
        )
    if held.octets + more > conf.workspace_bytes:
        raise FileRefusedError(
            f"The workspace holds {held.octets:,} bytes, and {more:,} more would exceed its {conf.workspace_bytes:,}. "
            "Delete files that are not needed, or let the operator raise WORKSPACE_MB.",
            reason="quota",
        )
    if files and held.files + files > conf.workspace_files:
        raise FileRefusedError(
            f"The workspace holds {held.files:,} files and folders, as many as it may. "
            "Delete some, or let the operator raise WORKSPACE_FILES.",
            reason="quota",
        )


def forget(workspace_id: uuid.UUID) -> None:
    """Delete a workspace with all it holds; what cannot be deleted is logged and left to the next pruning."""
    _delete(folder_of(workspace_id))


def prune(*, days: int) -> Usage:
    """Delete the workspaces in which nothing changed for `days`, and return what they held."""
    if days < 0:
        raise ValueError("The days must be 0 or more.")
    octets = files = 0
    before = time.time() - days * DAY
    for workspace_id in _existing():
        if _changed_at(workspace_id) >= before:
            continue
        held = usage(workspace_id)
        if _delete(folder_of(workspace_id)):
            octets, files = octets + held.octets, files + held.files
    return Usage(octets, files)


def _existing() -> Iterator[uuid.UUID]:
    try:
        names = sorted(folder.name for folder in conf.workspaces_dir.iterdir())
    except FileNotFoundError:
        return
    for name in names:
        try:
            yield uuid.UUID(hex=name)
        except ValueError:
            continue


def _changed_at(workspace_id: uuid.UUID) -> float:
    """Return when something in a workspace changed last, in seconds since 1970."""
    roots = roots_of(workspace_id)
    latest = folder_of(workspace_id).stat().st_mtime
    for entry in walk(roots, roots.find(WORKSPACE)):
        latest = max(latest, entry.state.st_mtime)
    return latest


def _delete(folder: Path) -> bool:
    """Delete a folder. The programs of the system do it: no tree is too deep for them, and no link leads them out."""
    if not folder.is_dir() or folder.is_symlink():
        return False
    for command in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
        done = subprocess.run([*command, "--", str(folder)], capture_output=True, text=True, check=False)  # noqa: S603
    if folder.exists():
        logger.error("The workspace %s could not be deleted: %s", folder.name, done.stderr[-500:])
        return False
    return True

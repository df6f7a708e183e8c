"""A workspace's files as a person sees them: listed, put in, taken out."""

from __future__ import annotations

import heapq
import os
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import BinaryIO

from agent_tools.conf import conf
from agent_tools.guards.files.errors import FileRefusedError
from agent_tools.guards.files.opening import opened
from agent_tools.guards.files.roots import WORKSPACE, Place
from agent_tools.guards.files.walking import Entry, walk
from agent_tools.guards.files.writing import add
from agent_tools.workspace.folders import check_room, folder_of, roots_of, usage

LONGEST_STEM, LONGEST_SUFFIX = 150, 20
_UNFIT = {ord(sign): "_" for sign in '/\\:*?"<>|~\x7f'} | dict.fromkeys(range(32), "_")
NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class FileFact:
    """One file: its path as tools take it and as it is shown, its size in octets, and when it was changed."""

    path: str
    shown: str
    size: int
    modified: datetime


@dataclass(frozen=True, slots=True)
class Listing:
    """The newest files, and how many more there are."""

    files: tuple[FileFact, ...]
    more: int


def listing(workspace_id: uuid.UUID, most: int = 200) -> Listing:
    """Return a workspace's files, newest first; none where there is no workspace yet."""
    if not folder_of(workspace_id).is_dir():
        return Listing((), 0)
    roots = roots_of(workspace_id)
    count = 0

    def files() -> Iterable[Entry]:
        nonlocal count
        for entry in walk(roots, roots.find(WORKSPACE)):
            if entry.is_file:
                count += 1
                yield entry

    newest = heapq.nlargest(most, files(), key=lambda entry: entry.state.st_mtime_ns)
    return Listing(tuple(_fact(entry.place, entry.state) for entry in newest), count - len(newest))


def save_upload(workspace_id: uuid.UUID, name: str, chunks: Iterable[bytes], most_bytes: int) -> FileFact:
    """Put a person's file into a workspace, under a name made safe, and never over another. It is there as a whole or
    not at all. Raises `FileRefusedError`.
    """
    roots = roots_of(workspace_id)
    check_room(workspace_id, 0)
    room = conf.workspace_bytes - usage(workspace_id).octets
    wanted = safe_name(name)

    def bounded() -> Iterable[bytes]:
        size = 0
        for chunk in chunks:
            size += len(chunk)
            if size > most_bytes:
                raise FileRefusedError(f"{wanted} is larger than {most_bytes:,} bytes.", reason="too_large")
            if size > room:
                raise FileRefusedError(
                    f"{wanted} does not fit into the workspace any more; delete files, or raise WORKSPACE_MB.",
                    reason="quota",
                )
            yield chunk

    place, state = add(roots, roots.find(WORKSPACE).below(wanted), bounded())
    return _fact(place, state)


def open_download(workspace_id: uuid.UUID, path: str) -> BinaryIO:
    """Open a workspace's file for sending it; raises `FileRefusedError`. The caller closes it."""
    if not folder_of(workspace_id).is_dir():
        raise FileRefusedError("This conversation has no files.", reason="not_found")
    roots = roots_of(workspace_id)
    place = roots.find(path)
    if place.root.name != WORKSPACE:
        raise FileRefusedError("Only files of the workspace can be downloaded.", reason="outside_roots")
    with opened(roots, place) as file:
        return os.fdopen(os.dup(file.descriptor), "rb")


def safe_name(name: str) -> str:
    """Return a name for a file that came with any name: its last part, without what trips up tools and shells."""
    last = PurePosixPath(name.replace("\\", "/")).name.translate(_UNFIT).encode("utf-8", "replace").decode()
    while ".." in last:
        last = last.replace("..", ".")
    last = last.strip(" .") or "upload"
    stem, dot, suffix = last.rpartition(".")
    if not dot or len(suffix.encode()) > LONGEST_SUFFIX:
        stem, suffix = last, ""
    while len(stem.encode()) > LONGEST_STEM:
        stem = stem[:-1]
    return f"{stem}.{suffix}" if suffix else stem


def _fact(place: Place, state: os.stat_result) -> FileFact:
    return FileFact(place.text, place.shown, state.st_size, datetime.fromtimestamp(state.st_mtime_ns / NS, UTC))

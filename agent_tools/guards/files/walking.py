"""Walks through folders of the roots, never along a link, and never out of them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agent_tools.guards.files.beneath import FOLDER, open_beneath
from agent_tools.guards.files.errors import FileRefusedError
from agent_tools.guards.files.opening import folder_of_root, refusing
from agent_tools.guards.files.roots import Place, Roots

DEEPEST = 64
"""Folders inside each other that are walked through; there is a descriptor open for each."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a walk came by: its place, its kind, its state, and the open folder it lies in (while it is handed out)."""

    place: Place
    state: os.stat_result
    folder: int

    @property
    def name(self) -> str:
        return self.place.parts[-1]

    @property
    def is_folder(self) -> bool:
        return stat.S_ISDIR(self.state.st_mode)

    @property
    def is_file(self) -> bool:
        return stat.S_ISREG(self.state.st_mode)

    def open(self) -> int:
        """Open the file for reading and return its descriptor, which the caller closes; raises `OSError`. It may be
        another one by now: look at its state.
        """
        return open_beneath(self.folder, (self.name,), os.O_RDONLY)


def walk(roots: Roots, place: Place, enter: Callable[[Entry], bool] = lambda _: True) -> Iterator[Entry]:
    """Give every file, folder and other thing below a folder, in the order of names, each folder before what it holds.
    `enter` tells whether a folder is walked into. What vanishes or may not be opened meanwhile is left out. Raises
    `FileRefusedError` where the place is no folder.
    """
    real = roots.resolved(place)
    with folder_of_root(real) as root, refusing(place):
        descriptor = open_beneath(root, real.parts, os.O_RDONLY)
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise FileRefusedError(f"path: {place.shown} is no folder.", reason="not_a_folder")
        yield from _below(real, descriptor, enter, 0)
    finally:
        os.close(descriptor)


def _below(place: Place, folder: int, enter: Callable[[Entry], bool], depth: int) -> Iterator[Entry]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        try:
            state = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError:
            continue
        entry = Entry(place.below(name), state, folder)
        yield entry
        if not entry.is_folder or depth >= DEEPEST or not enter(entry):
            continue
        try:
            below = os.open(name, FOLDER, dir_fd=folder)
        except OSError:
            continue
        try:
            yield from _below(entry.place, below, enter, depth + 1)
        finally:
            os.close(below)

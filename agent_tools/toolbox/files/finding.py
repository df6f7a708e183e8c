"""Finds files and folders by a pattern, the newest first. Runs in a process that can be killed."""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator
from dataclasses import dataclass

from agent_tools.guards.files.roots import Place, Roots
from agent_tools.guards.files.walking import walk
from agent_tools.toolbox.files.globs import Glob
from agent_tools.toolbox.files.ignoring import Ignoring


@dataclass(frozen=True, slots=True)
class Path:
    """One path as it is shown, its size in octets, when it was changed (ns since 1970), and whether it is a folder."""

    shown: str
    size: int
    modified: int
    is_folder: bool


@dataclass(frozen=True, slots=True)
class Paths:
    """The newest paths that match, how many match, how many were left out, and the bound that ended the walk."""

    paths: tuple[Path, ...]
    count: int
    hidden: int
    ended: str = ""


def find(roots: Roots, place: Place, pattern: str, *, all_files: bool, most: int, seconds: float) -> Paths:
    """Find what matches below a folder. Raises `RefusedError`."""
    walker = _Walker(roots, place, pattern, all_files, time.monotonic() + seconds)
    newest = heapq.nlargest(most, walker.matching(), key=lambda path: (path.modified, path.shown))
    ended = f"{seconds:g} seconds" if walker.is_late else ""
    return Paths(tuple(newest), walker.count, walker.hidden, ended)


class _Walker:
    def __init__(self, roots: Roots, place: Place, pattern: str, all_files: bool, until: float) -> None:
        self.count = 0
        self.is_late = False
        self._roots, self._place, self._until = roots, place, until
        self._glob = Glob(pattern)
        self._ignoring = Ignoring(all_files)
        self._base = len(roots.resolved(place).parts)

    @property
    def hidden(self) -> int:
        return self._ignoring.hidden

    def matching(self) -> Iterator[Path]:
        for entry in walk(self._roots, self._place, self._ignoring.enters):
            self._ignoring.learn(entry)
            if time.monotonic() > self._until:
                self.is_late = True
                return
            if self._ignoring.leaves_out(entry) or not self._glob.matches("/".join(entry.place.parts[self._base :])):
                continue
            self.count += 1
            yield Path(entry.place.shown, entry.state.st_size, entry.state.st_mtime_ns, entry.is_folder)

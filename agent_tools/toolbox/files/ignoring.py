"""What a search leaves out unless it is asked not to: hidden names, and what .gitignore files name (gitignore(5))."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field

from pathspec import GitIgnoreSpec

from agent_tools.guards.files.roots import Place
from agent_tools.guards.files.walking import Entry

NAME = ".gitignore"
LARGEST = 262_144


@dataclass(slots=True)
class Ignoring:
    """Judges the entries of one walk, in its order; `hidden` counts what was left out."""

    everything: bool = False
    hidden: int = 0
    _specs: dict[tuple[str, ...], GitIgnoreSpec] = field(default_factory=dict)

    def enters(self, entry: Entry) -> bool:
        """Tell whether a folder is walked into."""
        return not self.leaves_out(entry, count=False)

    def leaves_out(self, entry: Entry, *, count: bool = True) -> bool:
        """Tell whether an entry is left out."""
        if self.everything:
            return False
        out = entry.name.startswith(".") or self._is_ignored(entry.place, is_folder=entry.is_folder)
        self.hidden += out and count
        return out

    def learn(self, entry: Entry) -> None:
        """Take up the rules that stand in the folder in which an entry lies; called once before its entries."""
        folder = entry.place.parts[:-1]
        if self.everything or folder in self._specs:
            return
        self._specs[folder] = GitIgnoreSpec.from_lines(_lines(entry))

    def _is_ignored(self, place: Place, *, is_folder: bool) -> bool:
        """Judge by the innermost folder whose rules say anything."""
        for depth in range(len(place.parts) - 1, -1, -1):
            spec = self._specs.get(place.parts[:depth])
            if spec is None or not spec.patterns:
                continue
            path = "/".join(place.parts[depth:]) + ("/" if is_folder else "")
            verdict = spec.check_file(path).include
            if verdict is not None:
                return verdict
        return False


def _lines(entry: Entry) -> list[str]:
    with suppress(OSError):
        descriptor = os.open(NAME, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=entry.folder)
        try:
            return os.read(descriptor, LARGEST).decode("utf-8", "replace").splitlines()
        finally:
            os.close(descriptor)
    return []

"""The folders that exist for tools, and places in them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agent_tools.guards.files.errors import FileRefusedError
from agent_tools.guards.files.names import parts_of, quoted

WORKSPACE, LIBRARY, SKILLS = "workspace", "library", "skills"


@dataclass(frozen=True, slots=True)
class Root:
    """A folder that tools know by a short name. What is `writable` may hold links that a model made."""

    name: str
    path: Path
    writable: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a root, which need not exist. `parts` are names; none is the root itself."""

    root: Root
    parts: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """Where it is on this machine, for resolving and for messages of the server; tools never show it."""
        return self.root.path.joinpath(*self.parts)

    @property
    def text(self) -> str:
        """Return the path from its root on, as it is: `workspace/a b.txt`."""
        return "/".join((self.root.name, *self.parts))

    @property
    def shown(self) -> str:
        """The path as texts show it, quoted where it holds anything unusual."""
        return quoted(self.text)

    def below(self, *names: str) -> Place:
        return Place(self.root, (*self.parts, *names))


class Roots:
    """The roots of one session, the workspace first."""

    def __init__(self, roots: Sequence[Root]) -> None:
        self.all = tuple(roots)
        self._by_name = {root.name: root for root in roots}

    def find(self, path: str) -> Place:
        """Return the place that a path names. It may begin with a root's name, with or without a slash before it, as
        in the shell; any other relative path is meant in the workspace. Raises `FileRefusedError`.
        """
        parts = parts_of(path)
        if parts and parts[0] in self._by_name:
            return Place(self._by_name[parts[0]], parts[1:])
        if path.strip().strip('"').startswith("/"):
            names = ", ".join(f"{root.name}/" for root in self.all)
            raise FileRefusedError(f"path: must begin with one of {names}.", reason="outside_roots")
        return Place(self.all[0], parts)

    def resolved(self, place: Place) -> Place:
        """Return the same place without links, where it still lies in one of the roots; what does not exist yet is
        resolved as far as it does. Raises `FileRefusedError`.
        """
        try:
            real = Path(os.path.realpath(place.path))
        except (OSError, ValueError) as error:
            raise FileRefusedError(f"path: {place.shown} cannot be resolved.", reason="path_refused") from error
        for root in self.all:
            home = _home(root)
            if real == home or home in real.parents:
                return Place(Root(root.name, home, root.writable), real.relative_to(home).parts)
        raise FileRefusedError(f"path: {place.shown} is a link that leads out of its root.", reason="outside_roots")


def _home(root: Root) -> Path:
    """Return a root's folder without links. The library may be reached by one, what is written may not."""
    if root.writable:
        return Path(os.path.realpath(root.path.parent)) / root.path.name
    return Path(os.path.realpath(root.path))

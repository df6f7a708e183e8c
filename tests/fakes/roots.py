"""Short ways to files in roots, for tests of what keeps them there."""

from __future__ import annotations

from pathlib import Path

from agent_tools.guards.files import opening, writing
from agent_tools.guards.files.roots import Roots

SECRET = b"the secret"


def workspace(roots: Roots) -> Path:
    return roots.all[0].path


def outside(roots: Roots) -> Path:
    return roots.all[0].path.parent / "outside"


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def read(roots: Roots, path: str) -> bytes:
    with opening.opened(roots, roots.find(path)) as file:
        return file.read(1_000)


def write(roots: Roots, path: str, octets: bytes = b"new") -> None:
    writing.replace(roots, roots.find(path), octets, lambda _: None)

"""Replaces files of a writable root as a whole: a reader meets the old one or the new one, never half of one."""

from __future__ import annotations

import fcntl
import os
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import PurePosixPath

from agent_tools.guards.files.beneath import FOLDER
from agent_tools.guards.files.errors import FileRefusedError
from agent_tools.guards.files.names import check_new_name
from agent_tools.guards.files.opening import KINDS, folder_of_root, refusing
from agent_tools.guards.files.roots import Place, Roots

NEW_FILE, NEW_FOLDER = 0o644, 0o755
MOST_NAMESAKES = 1_000
TICK = 1_000_000_000
"""Nanoseconds that the clock of a file system may be coarse by."""


def replace(
    roots: Roots, place: Place, octets: bytes, check: Callable[[os.stat_result | None], None]
) -> os.stat_result:
    """Write a file, with the folders on the way that are missing, and return its state. The mode of the one it
    replaces is kept. `check` gets the state of that one (none: there is none) right before, and raises to refuse;
    no other writer of this machine comes between. Raises `FileRefusedError`.
    """
    with _folder_for(roots, place) as (parent, name):
        before = _state(parent, name)
        if before is not None and not stat.S_ISREG(before.st_mode):
            kind = KINDS.get(stat.S_IFMT(before.st_mode), "no regular file")
            raise FileRefusedError(f"path: {place.shown} is {kind}.", reason="not_a_file")
        if before is None:
            check_new_name(name)
        mode = stat.S_IMODE(before.st_mode) & 0o777 if before else NEW_FILE
        with _temporary(parent, [octets], mode) as (temporary, written):
            fcntl.flock(parent, fcntl.LOCK_EX)  # released with the descriptor
            now = _state(parent, name)
            check(now)
            state = written if now is None else _later(parent, temporary, written, now.st_mtime_ns)
            os.replace(temporary, name, src_dir_fd=parent, dst_dir_fd=parent)
        return state


def check_writable(real: Place) -> None:
    """Refuse a place, given without links, in which no file may be written; raises `FileRefusedError`."""
    if not real.root.writable:
        raise FileRefusedError(f"path: {real.root.name}/ is read-only; write below workspace/.", reason="read_only")
    if not real.parts:
        raise FileRefusedError(f"path: {real.shown} is a folder; name a file in it.", reason="not_a_file")


def add(roots: Roots, place: Place, chunks: Iterable[bytes]) -> tuple[Place, os.stat_result]:
    """Write a new file, under its name or, where that is taken, with a number before its suffix; return where it is
    and its state. An error of `chunks` leaves nothing behind. Raises `FileRefusedError`.
    """
    with _folder_for(roots, place) as (parent, name):
        check_new_name(name)
        with _temporary(parent, chunks, NEW_FILE) as (temporary, state):
            for number in range(1, MOST_NAMESAKES):
                free = name if number == 1 else _numbered(name, number)
                try:
                    os.link(temporary, free, src_dir_fd=parent, dst_dir_fd=parent)
                except FileExistsError:
                    continue
                os.unlink(temporary, dir_fd=parent)
                return Place(place.root, (*place.parts[:-1], free)), state
    raise FileRefusedError(f"path: there are too many files named {place.shown}.", reason="quota")


def _numbered(name: str, number: int) -> str:
    path = PurePosixPath(name)
    return f"{path.stem} ({number}){path.suffix}"


@contextmanager
def _folder_for(roots: Roots, place: Place) -> Iterator[tuple[int, str]]:
    """Open the folder in which a file will be, making it where it is missing, and give the file's name."""
    real = roots.resolved(place)
    check_writable(real)
    with folder_of_root(real) as root, refusing(place), _parent(root, real) as parent:
        yield parent, real.parts[-1]


@contextmanager
def _temporary(parent: int, chunks: Iterable[bytes], mode: int) -> Iterator[tuple[str, os.stat_result]]:
    """Write a file under a name of its own, and remove it unless it gets another."""
    name = f".{secrets.token_hex(8)}.part"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(name, flags, mode, dir_fd=parent)
    try:
        try:
            for chunk in chunks:
                _write(descriptor, chunk)
            os.fchmod(descriptor, mode)
            os.fsync(descriptor)
            state = os.fstat(descriptor)
        finally:
            os.close(descriptor)
        yield name, state
    finally:
        with suppress(OSError):
            os.unlink(name, dir_fd=parent)


def _later(parent: int, name: str, state: os.stat_result, than: int) -> os.stat_result:
    """Make a file later than the one it replaces, and return its state: clocks of file systems tick in milliseconds,
    and numbers on disk are given again, so that two states would else be told apart by nothing.
    """
    if not 0 <= than - state.st_mtime_ns < TICK:
        return state
    os.utime(name, ns=(state.st_atime_ns, than + 1), dir_fd=parent, follow_symlinks=False)
    return os.stat(name, dir_fd=parent, follow_symlinks=False)


def _write(descriptor: int, octets: bytes) -> None:
    view = memoryview(octets)
    while view:
        view = view[os.write(descriptor, view) :]


def _state(parent: int, name: str) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None


@contextmanager
def _parent(root: int, real: Place) -> Iterator[int]:
    """Open the folder of a file, making what is missing of it; no link is followed."""
    here = os.dup(root)
    try:
        for name in real.parts[:-1]:
            try:
                below = os.open(name, FOLDER, dir_fd=here)
            except FileNotFoundError:
                check_new_name(name)
                with suppress(FileExistsError):
                    os.mkdir(name, NEW_FOLDER, dir_fd=here)
                below = os.open(name, FOLDER, dir_fd=here)
            os.close(here)
            here = below
        yield here
    finally:
        os.close(here)

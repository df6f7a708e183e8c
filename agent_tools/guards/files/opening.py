"""Opens regular files of the roots for reading, and tells what stands in the way of others."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from agent_tools.guards.files.beneath import FOLDER, open_beneath
from agent_tools.guards.files.errors import FileRefusedError
from agent_tools.guards.files.roots import Place, Roots

KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_LINK = frozenset({errno.ELOOP, errno.EXDEV, errno.EMLINK})


@dataclass(frozen=True, slots=True)
class Opened:
    """A regular file, open for reading: the place without links, the descriptor, and its state when it was opened.
    Sizes are in octets, times in nanoseconds since 1970.
    """

    place: Place
    descriptor: int
    size: int
    modified: int
    inode: int

    def read(self, most: int, start: int = 0) -> bytes:
        """Return up to `most` octets from `start`, fewer only at the file's end."""
        pieces, got = [], 0
        while got < most:
            piece = os.pread(self.descriptor, min(most - got, 1 << 20), start + got)
            if not piece:
                break
            pieces.append(piece)
            got += len(piece)
        return b"".join(pieces)


@contextmanager
def opened(roots: Roots, place: Place) -> Iterator[Opened]:
    """Open a regular file for reading; raises `FileRefusedError`."""
    real = roots.resolved(place)
    with folder_of_root(real) as root, refusing(place):
        descriptor = open_beneath(root, real.parts, os.O_RDONLY)
    try:
        state = os.fstat(descriptor)
        check_readable(place, real, state)
        yield Opened(real, descriptor, state.st_size, state.st_mtime_ns, state.st_ino)
    finally:
        os.close(descriptor)


def check_readable(place: Place, real: Place, state: os.stat_result) -> None:
    """Refuse what is no regular file, and files that may be others' under a second name."""
    kind = stat.S_IFMT(state.st_mode)
    if kind == stat.S_IFDIR:
        raise FileRefusedError(f"path: {place.shown} is a folder; list it with a pattern.", reason="not_a_file")
    if kind != stat.S_IFREG:
        raise FileRefusedError(f"path: {place.shown} is {KINDS.get(kind, 'no regular file')}.", reason="not_a_file")
    if real.root.writable and state.st_nlink > 1:
        raise FileRefusedError(
            f"path: {place.shown} is one of several hard links to a file, which may lie elsewhere; copy it first.",
            reason="linked",
        )


@contextmanager
def folder_of_root(real: Place) -> Iterator[int]:
    """Give the descriptor of the root's own folder."""
    try:
        descriptor = os.open(real.root.path, FOLDER)
    except OSError as error:
        raise FileRefusedError(f"path: there is no {real.root.name} here yet.", reason="not_found") from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def refusing(place: Place) -> Iterator[None]:
    """Word an operating system's error about a place."""
    try:
        yield
    except OSError as error:
        raise refusal(place, error) from error


def refusal(place: Place, error: OSError) -> FileRefusedError:
    """Return what an operating system's error about a place means to a reader."""
    shown = place.shown
    match error.errno:
        case errno.ENOENT:
            return FileRefusedError(f"path: {shown} does not exist.", reason="not_found")
        case errno.ENOTDIR:
            return FileRefusedError(f"path: {shown} leads through something that is no folder.", reason="not_found")
        case errno.EACCES | errno.EPERM:
            return FileRefusedError(f"path: {shown} may not be opened.", reason="unreadable")
        case errno.ENAMETOOLONG:
            return FileRefusedError(f"path: {shown} is too long for this file system.", reason="path_refused")
        case errno.ENXIO:
            return FileRefusedError(f"path: {shown} is a socket or a pipe, not a file.", reason="not_a_file")
        case errno.EISDIR:
            return FileRefusedError(f"path: {shown} is a folder.", reason="not_a_file")
        case errno.ENOSPC | errno.EDQUOT:
            return FileRefusedError(f"path: there is no room left for {shown}.", reason="no_space")
        case number if number in _LINK:
            return FileRefusedError(
                f"path: {shown} was changed while it was being opened; try again.", reason="changed"
            )
    return FileRefusedError(f"path: {shown} cannot be opened ({os.strerror(error.errno or 0)}).", reason="unreadable")

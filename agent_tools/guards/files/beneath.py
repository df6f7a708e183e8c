"""Opens what lies beneath a folder, whatever anybody does to the way there meanwhile.

Where the kernel has `openat2` (Linux 5.6) it resolves the whole path itself (RESOLVE_BENEATH, openat2(2)); elsewhere
each name is opened from the descriptor of its folder. Neither follows any link: links are resolved before, as text.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import cast

_OPENAT2 = 437  # the same number on every architecture
_NO_MAGICLINKS, _NO_SYMLINKS, _BENEATH = 0x02, 0x04, 0x08
_RESOLVE = _NO_MAGICLINKS | _NO_SYMLINKS | _BENEATH
_TRIES = 32  # the kernel answers EAGAIN while somebody renames along the way
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
ALWAYS = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK
"""Flags of every opening: no link, not inherited, no terminal taken, and no waiting at a FIFO."""


class _How(ctypes.Structure):
    _fields_ = [("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64)]


def open_beneath(folder: int, parts: Sequence[str], flags: int, mode: int = 0) -> int:
    """Open a path beneath the folder's descriptor and return a descriptor, which the caller closes; raises `OSError`,
    with ELOOP or EXDEV (or ENOTDIR) where there is a link on the way.
    """
    if has_openat2():
        return _by_kernel(folder, parts, flags | ALWAYS, mode)
    return by_steps(folder, parts, flags, mode)


def by_steps(folder: int, parts: Sequence[str], flags: int, mode: int = 0) -> int:
    """Do the same name by name, without the kernel's help."""
    if not parts:
        return os.open(".", flags | ALWAYS, mode, dir_fd=folder)
    here = os.dup(folder)
    try:
        for name in parts[:-1]:
            below = os.open(name, FOLDER, dir_fd=here)
            os.close(here)
            here = below
        return os.open(parts[-1], flags | ALWAYS, mode, dir_fd=here)
    finally:
        os.close(here)


@cache
def has_openat2() -> bool:
    """Tell whether the kernel, and what filters its calls, has `openat2`."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        folder = os.open("/", FOLDER)
    except OSError:
        return False
    try:
        os.close(_by_kernel(folder, (), os.O_RDONLY | os.O_DIRECTORY | ALWAYS, 0))
    except OSError:
        return False
    finally:
        os.close(folder)
    return True


@cache
def _syscall() -> Callable[..., int]:
    function = ctypes.CDLL(None, use_errno=True).syscall
    function.restype = ctypes.c_long
    return cast("Callable[..., int]", function)


def _by_kernel(folder: int, parts: Sequence[str], flags: int, mode: int) -> int:
    how = _How(flags, mode if flags & os.O_CREAT else 0, _RESOLVE)
    path = os.fsencode("/".join(parts) or ".")
    number = errno.EAGAIN
    for _ in range(_TRIES):
        got = _syscall()(
            ctypes.c_long(_OPENAT2),
            ctypes.c_int(folder),
            ctypes.c_char_p(path),
            ctypes.byref(how),
            ctypes.c_size_t(ctypes.sizeof(how)),
        )
        if got >= 0:
            return int(got)
        number = ctypes.get_errno()
        if number not in {errno.EAGAIN, errno.EINTR}:
            break
    raise OSError(number, os.strerror(number), os.fsdecode(path))

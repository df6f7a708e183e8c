"""Remembers which state of a file a session has seen, so that nobody writes over what it does not know."""

from __future__ import annotations

import hashlib
import os
import uuid
from dataclasses import dataclass

from agent_tools.contract.context import ToolContext
from agent_tools.guards.files.opening import Opened
from agent_tools.guards.files.roots import Place


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells one state of a file from another: time of change in ns since 1970, size in octets, number on disk."""

    modified: int
    size: int
    inode: int

    @classmethod
    def of(cls, state: os.stat_result | Opened) -> Stamp:
        if isinstance(state, Opened):
            return cls(state.modified, state.size, state.inode)
        return cls(state.st_mtime_ns, state.st_size, state.st_ino)


@dataclass(frozen=True, slots=True)
class Known:
    """What a session knows of a file: its stamp, and the lines last shown (offset, limit) with the call that did."""

    stamp: Stamp
    shown: tuple[int, int] | None = None
    call_id: str = ""


async def remember(
    context: ToolContext,
    place: Place,
    stamp: Stamp,
    *,
    shown: tuple[int, int] | None = None,
    call_id: uuid.UUID | None = None,
) -> None:
    """Remember a state of a file; the place is the one without links."""
    value = [stamp.modified, stamp.size, stamp.inode, list(shown) if shown else None, str(call_id) if call_id else ""]
    await context.state.set(_key(place), value)


async def known(context: ToolContext, place: Place) -> Known | None:
    """Return what the session knows of a file; none when it has never seen it."""
    value = await context.state.get(_key(place))
    if not isinstance(value, list):
        return None
    modified, size, inode, shown, call_id = value
    return Known(Stamp(modified, size, inode), (shown[0], shown[1]) if shown else None, call_id)


def _key(place: Place) -> str:
    return f"file:{hashlib.sha256(place.text.encode('utf-8', 'surrogateescape')).hexdigest()}"

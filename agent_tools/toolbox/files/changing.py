"""What writing and editing share: whoever changes a file must know it as it is, and is shown what changed."""

from __future__ import annotations

import asyncio
import os
import threading
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import Field

from agent_tools.contract.context import ToolContext
from agent_tools.contract.errors import RefusedError
from agent_tools.contract.executor import ToolConfig
from agent_tools.contract.permissions import Action, Verdict
from agent_tools.guards.files.errors import FileRefusedError
from agent_tools.guards.files.opening import Opened
from agent_tools.guards.files.roots import Place, Roots
from agent_tools.guards.files.writing import check_writable, replace
from agent_tools.toolbox.files import stamps
from agent_tools.toolbox.files.diffs import Diff
from agent_tools.toolbox.files.stamps import Known, Stamp
from agent_tools.workspace.folders import check_room, roots_of
from agent_tools.workspace.outputs import PREFIX

MEBI = 1_048_576
MOST_OF_A_DIFF = 100_000
SHOWN_OF_A_DIFF = 3_000
T = TypeVar("T")


class ChangingConfig(ToolConfig):
    """What an operator decides about changing files."""

    most_mb: int = Field(
        default=10, ge=1, le=100, title="Largest file", description="Megabytes up to which a file is written or edited."
    )
    ask: bool = Field(
        default=False, title="Ask each time", description="Ask the person before each call, unless a rule allows it."
    )

    @property
    def most(self) -> int:
        """Octets up to which a file is written or edited."""
        return self.most_mb * MEBI

    def verdicts(self, deed: str) -> Sequence[Verdict]:
        return [Verdict(Action.ASK, f"{deed} of the workspace.")] if self.ask else []


@dataclass(frozen=True, slots=True)
class Target:
    """A file that is to be changed: the place without links, and what the session knows of it."""

    roots: Roots
    place: Place
    known: Known | None
    workspace_id: uuid.UUID
    given_up: threading.Event = field(default_factory=threading.Event)

    @property
    def shown(self) -> str:
        return self.place.shown

    def refuse_unless_known(self, file: Opened) -> Stamp:
        """Return the stamp of a file that the session has seen in this state; raises `RefusedError`."""
        stamp = Stamp.of(file)
        self._check(stamp)
        return stamp

    def put(self, octets: bytes, before: Stamp | None) -> Stamp:
        """Replace the file, which must still be as it was known, or create it where there was none. Blocks; raises
        `RefusedError`.
        """
        more = len(octets) - (before.size if before else 0)
        if more > 0:
            check_room(self.workspace_id, more, files=0 if before else 1)
        return Stamp.of(replace(self.roots, self.place, octets, self._checking(before)))

    def _checking(self, before: Stamp | None) -> Callable[[os.stat_result | None], None]:
        def check(state: os.stat_result | None) -> None:
            if self.given_up.is_set():
                raise RefusedError("The call was given up; nothing was written.", reason="cancelled")
            if before is None and state is not None:
                raise RefusedError(
                    f"path: {self.shown} was made by somebody else meanwhile; read it first.", reason="changed"
                )
            if before is not None:
                if state is None:
                    raise RefusedError(f"path: {self.shown} was deleted meanwhile.", reason="changed")
                self._check(Stamp.of(state))

        return check

    def _check(self, stamp: Stamp) -> None:
        if self.known is None:
            raise RefusedError(
                f"path: {self.shown} exists and was not read in this conversation; read it first.", reason="not_read"
            )
        if self.known.stamp != stamp:
            raise RefusedError(
                f"path: {self.shown} was changed since you read it, by a command or somebody else; "
                "read it again and look at the changes.",
                reason="changed",
            )


async def target_of(context: ToolContext, path: str) -> Target:
    """Return what a path names, where it may be written; raises `RefusedError`."""
    if path.strip().startswith(PREFIX):
        raise FileRefusedError("path: kept outputs are read-only; write below workspace/.", reason="read_only")
    roots = await asyncio.to_thread(roots_of, context.workspace_id)
    place = roots.find(path)
    if path.strip().rstrip('"').endswith("/"):
        raise FileRefusedError(f"path: ends with '/'; name a file in {place.shown}/.", reason="not_a_file")
    real = await asyncio.to_thread(roots.resolved, place)
    check_writable(real)
    return Target(roots, real, await stamps.known(context, real), context.workspace_id)


async def in_thread(target: Target, function: Callable[[], T]) -> T:
    """Run a change in a thread. A call that is ended meanwhile ends with its thread, and writes nothing after that."""
    work = asyncio.ensure_future(asyncio.to_thread(function))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        target.given_up.set()
        while not work.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([work])
        with suppress(RefusedError):
            work.result()
        raise


def told(place: Place, diff: Diff | None, **facts: Any) -> dict[str, Any]:
    """Return what programs and the page learn of a change; the counts are none where no lines were compared."""
    text = diff.text if diff else ""
    return {
        "path": place.text,
        **facts,
        "diff": diff.cut(MOST_OF_A_DIFF) if diff else "",
        "diff_cut": len(text) > MOST_OF_A_DIFF,
        "added": diff.added if diff else None,
        "removed": diff.removed if diff else None,
    }


def worded(sentence: str, diff: Diff | None) -> str:
    """Return what the model reads of a change."""
    return f"{sentence}\n{diff.beginning(SHOWN_OF_A_DIFF)}" if diff is not None and diff.text else sentence

"""Writes a file as a whole: a new one, or in place of one that the session knows."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from agent_tools.contract.context import ToolContext
from agent_tools.contract.errors import RefusedError
from agent_tools.contract.executor import ToolExecutor, ToolInput
from agent_tools.contract.interrupts import Interrupt
from agent_tools.contract.permissions import Verdict
from agent_tools.contract.result import ToolResult
from agent_tools.guards.files.errors import FileRefusedError
from agent_tools.guards.files.opening import Opened, opened
from agent_tools.guards.files.roots import Place, Roots
from agent_tools.guards.files.writing import check_writable, replace
from agent_tools.toolbox.files import stamps
from agent_tools.toolbox.files.changing import (
    MEBI,
    ChangingConfig,
    Text,
    must_be,
    refuse_unless_known,
    text_of,
    told,
    worded,
)
from agent_tools.toolbox.files.diffs import Diff, diff_of
from agent_tools.toolbox.files.stamps import Known, Stamp
from agent_tools.workspace.folders import check_room, roots_of


class FileWriteInput(ToolInput):
    """A file and all that it will hold."""

    path: str = Field(min_length=1, description="The file, such as workspace/notes.txt; missing folders are made.")
    content: str = Field(description="All that the file will hold, exactly: nothing is added, not even a last newline.")


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a write."""

    stamp: Stamp
    before: Text | None
    existed: bool
    diff: Diff | None
    unchanged: bool = False


class FileWrite(ToolExecutor[ChangingConfig, FileWriteInput]):
    """Creates or replaces a file."""

    Config = ChangingConfig
    Input = FileWriteInput
    title = "Write file"
    summary = (
        "Create a file in the workspace, or replace one as a whole. An existing file must have been read before and be "
        "unchanged since; use the edit tool for small changes."
    )
    interrupt = Interrupt.BLOCK

    def permissions(
        self, tool_input: FileWriteInput, config: ChangingConfig, context: ToolContext
    ) -> Sequence[Verdict]:
        return config.verdicts()

    async def execute(self, tool_input: FileWriteInput, config: ChangingConfig, context: ToolContext) -> ToolResult:
        octets = tool_input.content.encode()
        most = config.most_mb * MEBI
        if len(octets) > most:
            raise RefusedError(
                f"content: has {len(octets):,} bytes, and a file may have {most:,}; write it in parts.",
                reason="too_large",
            )
        roots = await asyncio.to_thread(roots_of, context.workspace_id)
        place = roots.find(tool_input.path)
        real = await asyncio.to_thread(roots.resolved, place)
        check_writable(real)
        await asyncio.to_thread(check_room, context.workspace_id, len(octets))
        known = await stamps.known(context, real)
        done = await asyncio.to_thread(_write, roots, place, real, known, tool_input.content, most)
        await stamps.remember(context, real, done.stamp)
        data = told(real, done.diff, created=not done.existed, replacements=0)
        if done.unchanged:
            return ToolResult.ok(data, f"{real.shown} holds exactly this already; nothing was changed.")
        if not done.existed:
            return ToolResult.ok(data, f"Created {real.shown} ({len(octets):,} bytes).")
        sentence = f"Replaced {real.shown} ({len(octets):,} bytes)."
        if done.before is not None and (done.before.charset != "utf-8" or done.before.mark):
            sentence += f" It was {done.before.charset} and is UTF-8 now."
        return ToolResult.ok(data, worded(sentence, done.diff))


def _write(roots: Roots, place: Place, real: Place, known: Known | None, content: str, most: int) -> Written:
    try:
        with opened(roots, place) as file:
            stamp = Stamp.of(file)
            refuse_unless_known(known, stamp, place)
            before = _text(file, place, most)
    except FileRefusedError as error:
        if error.reason != "not_found":
            raise
        state = replace(roots, real, content.encode(), must_be(None, place))
        return Written(Stamp.of(state), None, existed=False, diff=diff_of("", content))
    if before is not None and before.text == content and before.charset == "utf-8" and not before.mark:
        return Written(stamp, before, existed=True, diff=None, unchanged=True)
    state = replace(roots, real, content.encode(), must_be(known, place))
    diff = diff_of(before.text, content) if before is not None else None
    return Written(Stamp.of(state), before, existed=True, diff=diff)


def _text(file: Opened, place: Place, most: int) -> Text | None:
    """Return a file's text where it has one."""
    try:
        return text_of(file, place.shown, most)
    except RefusedError:
        return None

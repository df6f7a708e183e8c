"""Replaces a passage of a text file exactly, in its own charset and with its own line ends."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pydantic import Field

from agent_tools.contract.context import ToolContext
from agent_tools.contract.executor import ToolExecutor, ToolInput
from agent_tools.contract.interrupts import Interrupt
from agent_tools.contract.permissions import Verdict
from agent_tools.contract.result import ToolResult
from agent_tools.guards.files.opening import opened
from agent_tools.guards.files.roots import Place, Roots
from agent_tools.guards.files.writing import check_writable, replace
from agent_tools.toolbox.files import stamps
from agent_tools.toolbox.files.changing import (
    MEBI,
    ChangingConfig,
    must_be,
    refuse_unless_known,
    text_of,
    told,
    worded,
)
from agent_tools.toolbox.files.diffs import Diff, diff_of
from agent_tools.toolbox.files.editing import edit
from agent_tools.toolbox.files.stamps import Known, Stamp
from agent_tools.workspace.folders import check_room, roots_of


class FileEditInput(ToolInput):
    """What is replaced by what."""

    path: str = Field(min_length=1, description="The file, such as workspace/notes.txt. It must have been read before.")
    old_string: str = Field(
        description="The text to replace, exactly as it stands, without line numbers; enough of it to be unique."
    )
    new_string: str = Field(description="The text that takes its place; empty to delete.")
    replace_all: bool = Field(default=False, description="Replace every occurrence instead of the only one.")


class FileEdit(ToolExecutor[ChangingConfig, FileEditInput]):
    """An exact replacement in a text file."""

    Config = ChangingConfig
    Input = FileEditInput
    title = "Edit file"
    summary = (
        "Replace a passage of a text file in the workspace. old_string must be in the file exactly once, or "
        "replace_all be set. Read the file first; gives a diff."
    )
    interrupt = Interrupt.BLOCK

    def permissions(self, tool_input: FileEditInput, config: ChangingConfig, context: ToolContext) -> Sequence[Verdict]:
        return config.verdicts()

    async def execute(self, tool_input: FileEditInput, config: ChangingConfig, context: ToolContext) -> ToolResult:
        roots = await asyncio.to_thread(roots_of, context.workspace_id)
        place = roots.find(tool_input.path)
        real = await asyncio.to_thread(roots.resolved, place)
        known = await stamps.known(context, real)
        await asyncio.to_thread(check_room, context.workspace_id, len(tool_input.new_string))
        job = _Edit(roots, place, real, known, config.most_mb * MEBI)
        stamp, diff, count = await asyncio.to_thread(job.run, tool_input)
        await stamps.remember(context, real, stamp)
        places = "one place" if count == 1 else f"{count:,} places"
        data = told(real, diff, created=False, replacements=count)
        return ToolResult.ok(data, worded(f"Edited {real.shown} in {places} (+{diff.added} -{diff.removed}).", diff))


class _Edit:
    """One edit, in a thread."""

    def __init__(self, roots: Roots, place: Place, real: Place, known: Known | None, most: int) -> None:
        self._roots, self._place, self._real, self._known, self._most = roots, place, real, known, most

    def run(self, wanted: FileEditInput) -> tuple[Stamp, Diff, int]:
        check_writable(self._real)
        with opened(self._roots, self._place) as file:
            refuse_unless_known(self._known, Stamp.of(file), self._place)
            before = text_of(file, self._place.shown, self._most)
        edited = edit(before.text, wanted.old_string, wanted.new_string, replace_all=wanted.replace_all)
        octets = before.encoded(edited.text)
        state = replace(self._roots, self._real, octets, must_be(self._known, self._place, creating=False))
        return Stamp.of(state), diff_of(before.text, edited.text), edited.replacements

"""Replaces a passage of a text file exactly, in its own charset and with its own line ends."""

from __future__ import annotations

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
from agent_tools.guards.files.opening import opened
from agent_tools.toolbox.files import stamps
from agent_tools.toolbox.files.changing import ChangingConfig, Target, in_thread, target_of, told, worded
from agent_tools.toolbox.files.diffs import Diff, diff_of
from agent_tools.toolbox.files.editing import edit
from agent_tools.toolbox.files.nearby import hint
from agent_tools.toolbox.files.stamps import Stamp
from agent_tools.toolbox.files.texts import Text, is_read_as, text_of


class FileEditInput(ToolInput):
    """What is replaced by what."""

    path: str = Field(min_length=1, description="The file, such as workspace/notes.txt. It must have been read before.")
    old_string: str = Field(
        description="The text to replace, exactly as it stands, without line numbers; enough of it to be unique."
    )
    new_string: str = Field(description="The text that takes its place; empty to delete.")
    replace_all: bool = Field(default=False, description="Replace every occurrence instead of the only one.")


@dataclass(frozen=True, slots=True)
class Changed:
    """What became of an edit."""

    stamp: Stamp
    diff: Diff
    replacements: int
    notes: str


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
        return config.verdicts("It changes a file")

    async def execute(self, tool_input: FileEditInput, config: ChangingConfig, context: ToolContext) -> ToolResult:
        target = await target_of(context, tool_input.path)
        done = await in_thread(target, lambda: _edit(target, tool_input, config.most))
        await stamps.remember(context, target.place, done.stamp)
        places = "one place" if done.replacements == 1 else f"{done.replacements:,} places"
        sentence = f"Edited {target.shown} in {places} (+{done.diff.added:,} -{done.diff.removed:,}).{done.notes}"
        data = told(target.place, done.diff, created=False, replacements=done.replacements)
        return ToolResult.ok(data, worded(sentence, done.diff))


def _edit(target: Target, wanted: FileEditInput, most: int) -> Changed:
    try:
        with opened(target.roots, target.place) as file:
            target.refuse_unless_known(file)
            before = text_of(file, target.shown, most)
    except FileRefusedError as error:
        if error.reason == "not_found":
            near = hint(target.roots, target.place) or " Write it with file_write."
            raise FileRefusedError(f"{error.message}{near}", reason=error.reason) from error
        raise
    edited = edit(before.text, wanted.old_string, wanted.new_string, replace_all=wanted.replace_all, most=most)
    octets = _encoded(before, edited.text, most)
    diff = diff_of(before.text, edited.text)
    stamp = target.put(octets, before.stamp)
    notes = "" if is_read_as(octets, edited.text) else f" It is {before.charset} still, but now resembles another."
    return Changed(stamp, diff, edited.replacements, notes)


def _encoded(before: Text, text: str, most: int) -> bytes:
    if "\0" in text and "\0" not in before.text:
        raise RefusedError("new_string: must not hold a NUL; only text is written.", reason="invalid_arguments")
    try:
        octets = before.encoded(text)
    except UnicodeEncodeError as error:
        sign = text[error.start : error.start + 1]
        raise RefusedError(
            f"new_string: {sign!a} (U+{ord(sign):04X}) cannot be written in {before.charset}, the file's charset. "
            "Leave it out, or write the whole file with file_write, which makes it UTF-8.",
            reason="not_encodable",
        ) from error
    if len(octets) > most:
        raise RefusedError(
            f"new_string: the file would have {len(octets):,} bytes with it, and may have {most:,}.", reason="too_large"
        )
    return octets

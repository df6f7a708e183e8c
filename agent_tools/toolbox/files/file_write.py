"""Writes a file as a whole: a new one, or in place of one that the session knows."""

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
from agent_tools.guards.files.opening import Opened, opened
from agent_tools.toolbox.files import stamps
from agent_tools.toolbox.files.changing import ChangingConfig, Target, in_thread, target_of, told, worded
from agent_tools.toolbox.files.diffs import UNCHANGED, Diff, diff_of
from agent_tools.toolbox.files.stamps import Stamp
from agent_tools.toolbox.files.texts import UTF8, Text, is_read_as, text_of


class FileWriteInput(ToolInput):
    """A file and all that it will hold."""

    path: str = Field(min_length=1, description="The file, such as workspace/notes.txt; missing folders are made.")
    content: str = Field(description="All that the file will hold, exactly: nothing is added, not even a last newline.")


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a write: the file's stamp, the diff where there was text before, what is to be said of it."""

    stamp: Stamp
    created: bool
    diff: Diff | None
    notes: str = ""


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

    def describe(self, config: ChangingConfig) -> str:
        return f"A file may have {config.most_mb} MB."

    def permissions(
        self, tool_input: FileWriteInput, config: ChangingConfig, context: ToolContext
    ) -> Sequence[Verdict]:
        return config.verdicts("It writes a file")

    async def execute(self, tool_input: FileWriteInput, config: ChangingConfig, context: ToolContext) -> ToolResult:
        octets = _encoded(tool_input.content, config.most)
        target = await target_of(context, tool_input.path)
        done = await in_thread(target, lambda: _write(target, tool_input.content, octets, config.most))
        await stamps.remember(context, target.place, done.stamp)
        data = told(target.place, done.diff, created=done.created, replacements=0)
        if done.diff is UNCHANGED:
            return ToolResult.ok(data, f"{target.shown} holds exactly this already; nothing was changed.")
        verb = "Created" if done.created else "Replaced"
        sentence = f"{verb} {target.shown} ({len(octets):,} bytes).{done.notes}"
        return ToolResult.ok(data, sentence if done.created else worded(sentence, done.diff))


def _encoded(content: str, most: int) -> bytes:
    if "\0" in content:
        raise RefusedError("content: must not hold a NUL; only text is written.", reason="invalid_arguments")
    try:
        octets = content.encode()
    except UnicodeEncodeError as error:
        raise RefusedError("content: must not hold half of a surrogate pair.", reason="invalid_arguments") from error
    if len(octets) > most:
        raise RefusedError(
            f"content: has {len(octets):,} bytes, and a file may have {most:,}; divide it into several files.",
            reason="too_large",
        )
    return octets


def _write(target: Target, content: str, octets: bytes, most: int) -> Written:
    notes = "" if is_read_as(octets, content) else " It is UTF-8, but declares or resembles another charset."
    try:
        with opened(target.roots, target.place) as file:
            stamp = target.refuse_unless_known(file)
            before = _text(file, target.shown, most)
            same = file.size == len(octets) and file.read(file.size + 1) == octets
    except FileRefusedError as error:
        if error.reason != "not_found":
            raise
        return Written(target.put(octets, None), created=True, diff=diff_of("", content), notes=notes)
    if same:
        return Written(stamp, created=False, diff=UNCHANGED)
    after = target.put(octets, stamp)
    if before is None:
        return Written(after, created=False, diff=None, notes=f"{notes} What it held before was no text to compare.")
    return Written(after, created=False, diff=diff_of(before.text, content), notes=_form(before) + notes)


def _form(before: Text) -> str:
    """Say which form of the text before is lost."""
    if before.charset != UTF8:
        return f" It was {before.charset} and is UTF-8 now."
    return " It began with a byte order mark and does so no more." if before.mark else ""


def _text(file: Opened, shown: str, most: int) -> Text | None:
    """Return a file's text where it has one."""
    try:
        return text_of(file, shown, most)
    except RefusedError:
        return None

"""Searches the session's files by a regular expression, in linear time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from enum import StrEnum
from itertools import groupby

from pydantic import Field

from agent_tools.contract.context import ToolContext
from agent_tools.contract.errors import RefusedError
from agent_tools.contract.executor import ToolConfig, ToolExecutor, ToolInput
from agent_tools.contract.result import ToolResult
from agent_tools.guards.files.roots import WORKSPACE
from agent_tools.text import pool
from agent_tools.toolbox.files.patterns import Query, compiled
from agent_tools.toolbox.files.searching import Line, Report, search
from agent_tools.workspace import outputs
from agent_tools.workspace.folders import roots_of

SPARE = 5.0
MEBI = 1_048_576
MOST_FILES = 500
MOST_CHARACTERS = 18_000


class Mode(StrEnum):
    """What is shown of the matches."""

    CONTENT = "content"
    FILES = "files"
    COUNTS = "counts"


class GrepFilesConfig(ToolConfig):
    """What an operator decides about searching."""

    most: int = Field(default=200, ge=1, le=2_000, title="Matches", description="Most matches that one call shows.")
    scanned_mb: int = Field(
        default=1_024, ge=1, le=10_240, title="Scanned", description="Megabytes after which a search ends."
    )
    seconds: int = Field(default=30, ge=1, le=300, title="Time", description="Seconds after which a search ends.")


class GrepFilesInput(ToolInput):
    """What is looked for, and where."""

    pattern: str = Field(
        min_length=1, description="A regular expression in RE2's syntax, matched line by line; see `fixed` for text."
    )
    path: str = Field(
        default=WORKSPACE, description="The file or folder to search: workspace, library, skills, or below."
    )
    glob: str | None = Field(default=None, description="Search only files that match, such as *.py or src/**/*.md.")
    mode: Mode = Field(
        default=Mode.CONTENT, description="content: matching lines; files: paths alone; counts: matches by file."
    )
    context: int = Field(default=0, ge=0, le=10, description="Lines to show before and after each match.")
    ignore_case: bool = Field(default=False, description="Take upper and lower case as equal.")
    fixed: bool = Field(default=False, description="Take the pattern as plain text.")
    all_files: bool = Field(default=False, description="Search hidden files, too, and those that .gitignore names.")
    limit: int | None = Field(default=None, ge=1, description="Most matches to show.")
    offset: int = Field(default=0, ge=0, description="Matches to skip, to go on after an earlier call.")


class GrepFiles(ToolExecutor[GrepFilesConfig, GrepFilesInput]):
    """Lines by regular expression."""

    Config = GrepFilesConfig
    Input = GrepFilesInput
    title = "Search files"
    summary = (
        "Search the contents of files in the workspace, the library or the skills by a regular expression (RE2: no "
        "look-around, no back-references). Shows lines with their numbers, or paths, or counts."
    )
    enabled_by_default = True
    pollable = True
    max_output_chars = 20_000

    def is_read_only(self, tool_input: GrepFilesInput, config: GrepFilesConfig) -> bool:
        return True

    def is_concurrency_safe(self, tool_input: GrepFilesInput, config: GrepFilesConfig) -> bool:
        return True

    def timeout(self, config: GrepFilesConfig) -> float:
        return config.seconds + 2 * SPARE

    async def execute(self, tool_input: GrepFilesInput, config: GrepFilesConfig, context: ToolContext) -> ToolResult:
        if tool_input.path.strip().startswith(outputs.PREFIX):
            raise RefusedError(
                "path: kept outputs are not searched; read them by lines, with offset.", reason="path_refused"
            )
        roots = await asyncio.to_thread(roots_of, context.workspace_id)
        place = roots.find(tool_input.path)
        query = Query(
            pattern=tool_input.pattern,
            fixed=tool_input.fixed,
            ignore_case=tool_input.ignore_case,
            glob=tool_input.glob or "",
            all_files=tool_input.all_files,
            context=tool_input.context,
            skip=tool_input.offset,
            most=min(tool_input.limit or config.most, config.most) if tool_input.mode is Mode.CONTENT else 0,
            octets=config.scanned_mb * MEBI,
            seconds=float(config.seconds),
        )
        compiled(query)
        report = await pool.run(config.seconds + SPARE, search, roots, place, query)
        data = {
            "matches": report.matches,
            "files": dict(list(report.counts.items())[:MOST_FILES]),
            "searched": report.files,
            "complete": not report.ended,
        }
        return ToolResult.ok(data, "\n".join(_told(report, tool_input, place.shown)))


def _told(report: Report, asked: GrepFilesInput, where: str) -> Iterator[str]:
    if not report.matches:
        yield f"[No match in {report.files - report.binary:,} text files below {where}.]"
    elif asked.mode is Mode.CONTENT:
        yield from _lines(report, asked)
    else:
        rows = list(report.counts.items())[asked.offset : asked.offset + MOST_FILES]
        yield from (path if asked.mode is Mode.FILES else f"{path}: {count:,}" for path, count in rows)
        more = len(report.counts) - asked.offset - len(rows)
        total = f"{report.matches:,} matches in {len(report.counts):,} files"
        yield f"[{total}{f'; {more:,} more files, go on with offset={asked.offset + len(rows)}' if more > 0 else ''}]"
    if report.ended:
        yield f"[The search was ended after {report.ended}; there may be more. Narrow path, glob or pattern.]"
    if not report.matches and report.hidden:
        yield f"[{report.hidden:,} hidden or ignored files and folders were left out; all_files searches them.]"
    if not report.matches and report.binary:
        yield f"[{report.binary:,} files are no text and were left out.]"


def _lines(report: Report, asked: GrepFilesInput) -> Iterator[str]:
    shown = used = 0
    for group in _groups(report.lines):
        if used and asked.context:
            yield "--"
        for line in group:
            sign = ":" if line.matches else "-"
            text = f"{line.path}{sign}{line.number}{sign}{line.text}"
            used += len(text) + 1
            if used > MOST_CHARACTERS:
                break
            yield text
            shown += line.matches
        if used > MOST_CHARACTERS:
            break
    more = report.matches - asked.offset - shown
    total = f"{report.matches:,} matches in {len(report.counts):,} files"
    yield f"[{total}{f'; {more:,} more, go on with offset={asked.offset + shown}' if more > 0 else ''}]"


def _groups(lines: list[Line]) -> Iterator[list[Line]]:
    """Give neighbouring lines together."""
    numbered = enumerate(lines)
    for _key, group in groupby(numbered, key=lambda pair: (pair[1].path, pair[1].number - pair[0])):
        yield [line for _at, line in group]

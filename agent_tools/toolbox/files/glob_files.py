"""Lists paths of the session's files by a pattern, the newest first."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from pydantic import Field

from agent_tools.contract.context import ToolContext
from agent_tools.contract.executor import ToolConfig, ToolExecutor, ToolInput
from agent_tools.contract.result import ToolResult
from agent_tools.guards.files.roots import LIBRARY, SKILLS, WORKSPACE
from agent_tools.text import pool
from agent_tools.text.sniff import human_size
from agent_tools.toolbox.files.finding import Path, Paths, find
from agent_tools.workspace.folders import roots_of

NS = 1_000_000_000
SPARE = 5.0


class GlobFilesConfig(ToolConfig):
    """What an operator decides about listing."""

    most: int = Field(default=100, ge=1, le=1_000, title="Paths", description="Most paths that one call shows.")
    seconds: int = Field(default=20, ge=1, le=300, title="Time", description="Seconds after which the walk ends.")


class GlobFilesInput(ToolInput):
    """Which paths."""

    pattern: str = Field(
        min_length=1,
        description="A pattern such as *.py (at any depth), src/**/*.md, data/[0-9]*.{csv,tsv}.",
    )
    path: str = Field(
        default=WORKSPACE, description="The folder below which to look: workspace, library, skills, or one in them."
    )
    all_files: bool = Field(default=False, description="Show hidden files, too, and those that .gitignore names.")


class GlobFiles(ToolExecutor[GlobFilesConfig, GlobFilesInput]):
    """Paths by pattern."""

    Config = GlobFilesConfig
    Input = GlobFilesInput
    title = "Find files"
    summary = "List files and folders of the workspace, the library or the skills by a pattern, newest first."
    enabled_by_default = True
    pollable = True
    max_output_chars = 20_000

    def is_read_only(self, tool_input: GlobFilesInput, config: GlobFilesConfig) -> bool:
        return True

    def is_concurrency_safe(self, tool_input: GlobFilesInput, config: GlobFilesConfig) -> bool:
        return True

    def timeout(self, config: GlobFilesConfig) -> float:
        return config.seconds + 2 * SPARE

    async def execute(self, tool_input: GlobFilesInput, config: GlobFilesConfig, context: ToolContext) -> ToolResult:
        roots = await asyncio.to_thread(roots_of, context.workspace_id)
        path, pattern = tool_input.path, tool_input.pattern.strip()
        first, slash, rest = pattern.removeprefix("/").partition("/")
        if path == WORKSPACE and slash and first in {WORKSPACE, LIBRARY, SKILLS}:
            path, pattern = first, rest
        place = roots.find(path)
        found = await pool.run(
            config.seconds + SPARE,
            find,
            roots,
            place,
            pattern,
            all_files=tool_input.all_files,
            most=config.most,
            seconds=float(config.seconds),
        )
        data = {"paths": [one.shown for one in found.paths], "count": found.count, "hidden": found.hidden}
        return ToolResult.ok(data, _worded(found, pattern, place.shown))


def _worded(found: Paths, pattern: str, where: str) -> str:
    lines = [_line(path) for path in found.paths]
    more = found.count - len(found.paths)
    if more:
        lines.append(f"[{more:,} more; narrow the pattern]")
    if found.ended:
        lines.append(f"[The walk was ended after {found.ended}; there may be more. Narrow path.]")
    if not found.paths:
        lines.append(f"[Nothing below {where} matches {pattern}.]")
        if found.hidden:
            lines.append(f"[{found.hidden:,} hidden or ignored files and folders were left out; all_files shows them.]")
    return "\n".join(lines)


def _line(path: Path) -> str:
    changed = datetime.fromtimestamp(path.modified / NS, UTC).strftime("%Y-%m-%d %H:%M")
    return f"{path.shown}/  {changed}" if path.is_folder else f"{path.shown}  {human_size(path.size)}  {changed}"

"""Runs one shell command in a sandbox: no network, the workspace alone writable, bounded, and nothing left behind."""

from __future__ import annotations

import asyncio
import sys
import uuid
from collections.abc import Sequence
from contextlib import suppress

from pydantic import Field

from agent_tools.conf import conf
from agent_tools.contract.context import ToolContext
from agent_tools.contract.errors import RefusedError, ToolError
from agent_tools.contract.executor import ToolConfig, ToolExecutor, ToolInput
from agent_tools.contract.permissions import Action, Verdict
from agent_tools.contract.result import ToolResult
from agent_tools.guards.files.roots import LIBRARY, SKILLS
from agent_tools.guards.sandbox import probe
from agent_tools.guards.sandbox.box import MEBI, Box, Level, Limits
from agent_tools.guards.sandbox.running import Canceller, Ended, run
from agent_tools.workspace.folders import folder_of, roots_of, usage

BEAT = 1.0
GRACE = 15.0
"""Seconds by which the pipeline waits longer than the command may take."""
OUTPUT = 16_000
"""Octets of a command's output that the model reads."""
WORDS = {
    "time": "It was ended at its limit of {seconds:g} s.",
    "memory": "It was ended for using more than {memory:,} MB of memory.",
    "processes": "It was ended for starting more than {processes:,} processes.",
    "workspace": (
        "It was ended for filling the workspace beyond {workspace:,} MB or {files:,} files, or with folders that are "
        "too deep or closed."
    ),
}


class RunBashConfig(ToolConfig):
    """What an operator decides about commands."""

    seconds: int = Field(
        default=120, ge=1, le=3_600, title="Time limit", description="Seconds after which a command is ended."
    )
    memory_mb: int = Field(
        default=1_024, ge=64, le=65_536, title="Memory", description="Megabytes that a command may use in all."
    )
    processes: int = Field(
        default=128, ge=4, le=4_096, title="Processes", description="How many processes a command may have at a time."
    )
    file_mb: int = Field(
        default=256, ge=1, le=10_240, title="Largest file", description="Megabytes that one file may grow to."
    )
    temporary_mb: int = Field(
        default=128, ge=1, le=4_096, title="Temporary space", description="Megabytes of /tmp, which is memory."
    )
    ask: bool = Field(
        default=True, title="Ask each time", description="Ask the person before each command, unless a rule allows it."
    )

    def limits(self, seconds: float | None) -> Limits:
        return Limits(
            seconds=min(seconds or self.seconds, self.seconds),
            memory=self.memory_mb * MEBI,
            processes=self.processes,
            file_size=self.file_mb * MEBI,
            workspace=conf.workspace_bytes,
            files=conf.workspace_files,
            temporary=self.temporary_mb * MEBI,
            output=OUTPUT,
        )


class RunBashInput(ToolInput):
    """A command."""

    command: str = Field(min_length=1, max_length=30_000, description="The command, as bash takes it.")
    timeout: float | None = Field(default=None, gt=0, description="Seconds after which it is ended, if less will do.")


class RunBash(ToolExecutor[RunBashConfig, RunBashInput]):
    """A shell on the workspace."""

    Config = RunBashConfig
    Input = RunBashInput
    title = "Run bash"
    summary = (
        "Run a command with bash in the workspace (/workspace, where it starts). There is no network; the library and "
        "the skills are in /library and /skills, read-only. Nothing goes on running after the command; each call "
        "starts a new shell."
    )
    max_output_chars = 20_000

    def describe(self, config: RunBashConfig) -> str:
        return f"A command may take {config.seconds} s and {config.memory_mb} MB of memory."

    def timeout(self, config: RunBashConfig) -> float:
        return config.seconds + GRACE

    def permissions(self, tool_input: RunBashInput, config: RunBashConfig, context: ToolContext) -> Sequence[Verdict]:
        return [Verdict(Action.ASK, "It runs a command on this server, in a sandbox.")] if config.ask else []

    async def execute(self, tool_input: RunBashInput, config: RunBashConfig, context: ToolContext) -> ToolResult:
        if "\0" in tool_input.command:
            raise RefusedError("command: must not hold a NUL.", reason="invalid_arguments")
        found = await asyncio.to_thread(probe.find, conf.sandbox, conf.shell_without_isolation)
        level = found.need()
        limits = config.limits(tool_input.timeout)
        canceller = Canceller()
        work = asyncio.ensure_future(
            asyncio.to_thread(_run, level, tool_input.command, context.workspace_id, limits, canceller)
        )
        try:
            ended = await _attended(work, limits, context)
        except OSError as error:
            raise ToolError(f"The command could not be started ({error.strerror}).", reason="not_started") from error
        except asyncio.CancelledError:
            canceller.cancel()
            while not work.done():  # nothing may go on running when the call is over
                with suppress(asyncio.CancelledError):
                    await asyncio.wait([work])
            raise
        return _result(ended, limits, level)


async def _attended(work: asyncio.Future[Ended], limits: Limits, context: ToolContext) -> Ended:
    """Wait for the command, telling how long it takes."""
    began = asyncio.get_running_loop().time()
    while not (await asyncio.wait([work], timeout=BEAT))[0]:
        passed = asyncio.get_running_loop().time() - began
        await context.progress(min(1.0, passed / limits.seconds), f"{passed:.0f} of at most {limits.seconds:g} s")
    return work.result()


def _run(level: Level, command: str, workspace_id: uuid.UUID, limits: Limits, canceller: Canceller) -> Ended:
    roots = roots_of(workspace_id)
    readable = {
        f"/{root.name}": root.path for root in roots.all if root.name in {LIBRARY, SKILLS} and root.path.is_dir()
    }
    box = Box(workspace=folder_of(workspace_id), readable=readable, hidden=conf.hidden_dirs)

    def held() -> tuple[int, int]:
        now = usage(workspace_id)
        return sys.maxsize if now.uncountable else now.octets, now.files

    return run(level, command, box, limits, usage=held, canceller=canceller)


def _result(ended: Ended, limits: Limits, level: Level) -> ToolResult:
    data = {
        "exit_code": ended.exit_code,
        "seconds": round(ended.seconds, 2),
        "left_out": ended.cut,
        "limit": ended.limit,
        "isolation": str(level),
    }
    said = ended.output.rstrip("\n") or "[no output]"
    if ended.limit:
        words = WORDS[ended.limit].format(
            seconds=limits.seconds,
            memory=limits.memory // MEBI,
            processes=limits.processes,
            workspace=limits.workspace // MEBI,
            files=limits.files,
        )
        return ToolResult.failed(words, reason=f"{ended.limit}_limit", data=data, content=f"{said}\n[{words}]")
    return ToolResult.ok(data, f"{said}\n[exit code {ended.exit_code}, {ended.seconds:.1f} s]")

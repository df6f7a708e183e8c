"""Tools that leave a mark in a file each time they run, so that what happened in other processes can be counted.

As a program it is `manage.py` with these tools known: `python -m tests.fakes.marks serve --port 8001`.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from pathlib import Path

from agent_tools.contract.context import ToolContext
from agent_tools.contract.executor import ToolConfig, ToolExecutor, ToolInput
from agent_tools.contract.interrupts import Interrupt
from agent_tools.contract.ports import Question
from agent_tools.contract.result import ToolResult
from agent_tools.registry import registry

VARIABLE = "TEST_MARKS"


class NoConfig(ToolConfig):
    """Nothing to decide."""


class MarkInput(ToolInput):
    text: str = ""
    seconds: float = 0.0


class Mark(ToolExecutor[NoConfig, MarkInput]):
    """Writes: must never run twice for one call."""

    Config = NoConfig
    Input = MarkInput
    title = "Mark"
    summary = "Leaves a mark."
    interrupt = Interrupt.BLOCK

    async def execute(self, tool_input: MarkInput, config: NoConfig, context: ToolContext) -> ToolResult:
        _mark(context)
        await asyncio.sleep(tool_input.seconds)
        return ToolResult.ok(None, f"{context.slug} {tool_input.text}")


def _mark(context: ToolContext) -> None:
    with Path(os.environ[VARIABLE]).open("a", encoding="utf-8") as file:
        file.write(f"{context.slug} {context.call_id}\n")


class Peek(Mark):
    """Reads: may run again."""

    interrupt = Interrupt.CANCEL

    def is_read_only(self, tool_input: MarkInput, config: NoConfig) -> bool:
        return True

    def is_concurrency_safe(self, tool_input: MarkInput, config: NoConfig) -> bool:
        return True


class Query(Mark):
    """Asks the person."""

    async def execute(self, tool_input: MarkInput, config: NoConfig, context: ToolContext) -> ToolResult:
        answer = await context.ports.asker.ask(Question(call_id=context.call_id, text="Well?", timeout=60))
        return ToolResult.ok(None, f"{tool_input.text}: {answer.text}")


TYPES = {name.lower(): f"tests.fakes.marks.{name}" for name in ("Mark", "Peek", "Query")}


def marks(path: Path) -> Counter[str]:
    """Return how often each call ran, by `slug call_id`."""
    return Counter(path.read_text(encoding="utf-8").splitlines()) if path.exists() else Counter()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    with registry.extended(TYPES):
        execute_from_command_line(sys.argv)

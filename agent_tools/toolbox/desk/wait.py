"""Waits a while, telling how far it is: for showing progress, a stop and a time limit at work."""

from __future__ import annotations

import asyncio

from pydantic import Field

from agent_tools.contract.context import ToolContext
from agent_tools.contract.executor import ToolConfig, ToolExecutor, ToolInput
from agent_tools.contract.result import ToolResult

LONGEST = 60
MARGIN = 5.0
"""Seconds by which the limit of a call exceeds the longest wait."""
BEAT = 0.5


class WaitConfig(ToolConfig):
    """What an operator decides about waiting."""

    longest: int = Field(
        default=LONGEST, ge=1, le=LONGEST, title="Longest wait", description="Most seconds of one wait, from 1 to 60."
    )


class WaitInput(ToolInput):
    """How long to wait."""

    seconds: float = Field(ge=0, le=LONGEST, description="How many seconds to wait.")


class Wait(ToolExecutor[WaitConfig, WaitInput]):
    """A pause of some seconds."""

    Config = WaitConfig
    Input = WaitInput
    title = "Wait"
    summary = "Waits some seconds and reports its progress. Use it between two looks at something that takes time."
    enabled_by_default = True
    pollable = True

    def input_schema(self, config: WaitConfig) -> dict[str, object]:
        schema = self.Input.model_json_schema()
        schema["properties"]["seconds"]["maximum"] = config.longest
        return schema

    def timeout(self, config: WaitConfig) -> float:
        return config.longest + MARGIN

    def is_read_only(self, tool_input: WaitInput, config: WaitConfig) -> bool:
        return True

    def is_concurrency_safe(self, tool_input: WaitInput, config: WaitConfig) -> bool:
        return True

    async def execute(self, tool_input: WaitInput, config: WaitConfig, context: ToolContext) -> ToolResult:
        loop = asyncio.get_running_loop()
        began = loop.time()
        while (waited := loop.time() - began) < tool_input.seconds:
            await context.progress(waited / tool_input.seconds, f"{waited:.0f} of {tool_input.seconds:g} s")
            await asyncio.sleep(min(BEAT, tool_input.seconds - waited))
        return ToolResult.ok({"seconds": tool_input.seconds}, f"Waited {tool_input.seconds:g} s.")

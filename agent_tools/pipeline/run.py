"""The one composition of the stages: every call of every door goes through here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from channels.db import database_sync_to_async

from agent_tools.contract.calls import ToolCall
from agent_tools.contract.context import Scope
from agent_tools.contract.outcome import CallOutcome
from agent_tools.models import AgentTool
from agent_tools.pipeline.prepare import prepare
from agent_tools.pipeline.record import close_row, open_rows
from agent_tools.pipeline.single import run_one
from agent_tools.selectors.tools import tools_in_set


async def run_calls(calls: Sequence[ToolCall], scope: Scope, *, tools: Sequence[AgentTool] = ()) -> list[CallOutcome]:
    """Run the calls of one batch and return one outcome each, in their order."""
    known = {tool.slug: tool for tool in [*await database_sync_to_async(tools_in_set)(scope.tools), *tools]}
    batch = prepare(calls, scope, list(known.values()))
    await database_sync_to_async(open_rows)(batch)
    for running in batch:
        if running.open:
            await run_one(running)
        result = running.result
        if result and not result.content and result.data is not None:
            running.result = replace(result, content=json.dumps(result.data, indent=2, ensure_ascii=False))
        await database_sync_to_async(close_row)(running)
    return [running.outcome() for running in batch]

"""Runs calls for the doors; nothing that goes wrong in a call is raised, the outcome says it."""

from __future__ import annotations

import uuid
from typing import cast

from agent_tools.contract.calls import Door, ToolCall
from agent_tools.contract.context import Scope
from agent_tools.contract.outcome import CallOutcome
from agent_tools.models import AgentTool
from agent_tools.pipeline.run import run_calls


async def execute_tool(
    tool: AgentTool,
    tool_input: object,
    *,
    door: Door,
    user_id: int | None,
    confirmed: bool = False,
    session_id: uuid.UUID | None = None,
) -> CallOutcome:
    """Run one tool, a disabled one too, with a JSON object (or its text) as input.

    `confirmed` is an operator's ticked confirmation, an allow once. The log row is the one whose `call_id` is
    `outcome.call.id`.
    """
    scope = Scope(
        door=door,
        user_id=user_id,
        session_id=session_id or uuid.uuid4(),
        silent=door is not Door.CHAT,
        confirmed=confirmed,
    )
    call = ToolCall(name=tool.slug, arguments=cast("str | None", tool_input))
    [outcome] = await run_calls([call], scope, tools=[tool])
    return outcome

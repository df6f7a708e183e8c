"""Runs one call, inside its time."""

from __future__ import annotations

import asyncio
import time

from agent_tools.conf import conf
from agent_tools.contract.calls import CallStatus, Ran, Reason
from agent_tools.contract.context import ToolContext
from agent_tools.contract.result import ToolResult
from agent_tools.pipeline.failures import Catching
from agent_tools.pipeline.running import Running
from agent_tools.workspace.state import StoredSessionState


async def run_one(running: Running) -> None:
    """Run the call and set its result."""
    bound, request = running.prepared()
    limit = bound.executor.timeout(bound.config) or conf.tool_timeout
    began = time.monotonic()
    with Catching(running, ran=Ran.YES):
        context = context_of(running, deadline=asyncio.get_running_loop().time() + limit)
        try:
            async with asyncio.timeout(limit):
                running.result = await bound.executor.execute(request.tool_input, bound.config, context)
        except TimeoutError:
            running.result = ToolResult.failed(
                f"The call ran out of its time ({limit:g} s); it may have run in part.",
                reason=Reason.TIMEOUT,
                status=CallStatus.TIMEOUT,
                ran=Ran.MAYBE,
            )
    running.duration_ms = round((time.monotonic() - began) * 1000)


async def _no_progress(fraction: float | None, message: str = "") -> None:
    return None


def context_of(running: Running, *, deadline: float | None) -> ToolContext:
    """Return what the executor is told of its surroundings."""
    bound, _request = running.prepared()
    scope = running.scope
    return ToolContext(
        tool_id=bound.tool.pk,
        slug=bound.tool.slug,
        call_id=running.call.id,
        session_id=scope.session_id,
        workspace_id=scope.workspace_id or scope.session_id,
        user_id=scope.user_id,
        silent=scope.silent,
        thinking=scope.thinking,
        tools=running.tools,
        ports=scope.ports,
        progress=_no_progress,
        state=StoredSessionState(scope.session_id),
        deadline=deadline,
    )

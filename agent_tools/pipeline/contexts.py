"""Builds what an executor is told of its surroundings."""

from __future__ import annotations

from dataclasses import replace

from agent_tools.contract.context import Progress, ToolContext
from agent_tools.contract.permissions import PermissionAnswer, PermissionRequest
from agent_tools.contract.ports import Answer, Asker, NobodyToAsk, Ports, Question
from agent_tools.pipeline.clock import Clock
from agent_tools.pipeline.progress import no_progress
from agent_tools.pipeline.running import Running
from agent_tools.workspace.state import StoredSessionState


class UncountedAsker:
    """Asks through another asker while the call's clock stands still."""

    def __init__(self, asker: Asker, clock: Clock) -> None:
        self._asker = asker
        self._clock = clock

    async def ask(self, question: Question) -> Answer:
        with self._clock.paused():
            return await self._asker.ask(question)

    async def permission(self, request: PermissionRequest) -> PermissionAnswer:
        with self._clock.paused():
            return await self._asker.permission(request)


def context_of(
    running: Running,
    *,
    clock: Clock | None = None,
    progress: Progress = no_progress,
    deadline: float | None = None,
) -> ToolContext:
    """Return the context of one call; the clock, the progress and the deadline are there once it runs."""
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
        ports=_ports(running, clock),
        progress=progress,
        state=StoredSessionState(scope.session_id),
        deadline=deadline,
    )


def _ports(running: Running, clock: Clock | None) -> Ports:
    ports = running.scope.ports
    if running.scope.silent:
        return replace(ports, asker=NobodyToAsk())
    if clock is None or not ports.can_ask:
        return ports
    return replace(ports, asker=UncountedAsker(ports.asker, clock))

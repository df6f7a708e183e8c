"""Runs calls before their response is complete, where nothing can come of it but time saved."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent_tools.contract.calls import Reason, ToolCall
from agent_tools.contract.context import Scope
from agent_tools.contract.errors import InvalidInputError
from agent_tools.contract.interrupts import StopSignal
from agent_tools.contract.outcome import CallOutcome
from agent_tools.contract.permissions import Action
from agent_tools.contract.ports import NobodyToAsk
from agent_tools.pipeline.arguments import canonical, read
from agent_tools.pipeline.duplicates import CallMemory, refuse_repeats
from agent_tools.pipeline.failures import Catching, Logging
from agent_tools.pipeline.permissions import judge_as_sent
from agent_tools.pipeline.prepare import prepare
from agent_tools.pipeline.run import Batch, run_calls
from agent_tools.pipeline.running import Running
from agent_tools.pipeline.single import is_read_only
from agent_tools.pipeline.surroundings import Surroundings, surroundings_of


@dataclass(frozen=True, slots=True)
class _Started:
    call: ToolCall
    memory: CallMemory
    task: asyncio.Task[list[CallOutcome]]


class EarlyStarts:
    """The calls of one response that were started while it streamed, and their outcomes.

    Only the calls at the head of a response may start: as soon as one cannot, none after it does, for it might depend
    on what that one does. Nobody is asked meanwhile: where a hook demands it the call is run again, in its turn.
    """

    def __init__(self, scope: Scope, *, stop: StopSignal | None = None, memory: CallMemory | None = None) -> None:
        self._scope = replace(scope, ports=replace(scope.ports, asker=NobodyToAsk()))
        self._stop = stop
        self._memory = memory if memory is not None else CallMemory()
        self._started: list[_Started] = []
        self._surroundings: Surroundings | None = None
        self._over = False

    async def offer(self, call: ToolCall) -> bool:
        """Start a call whose arguments are complete, if it is sealed, valid, new, changes nothing, is safe beside
        others, and permitted without asking. Calls are offered in their order.
        """
        if self._over or not call.sealed or (self._stop is not None and self._stop.is_set):
            self._over = True
        elif self._surroundings is None:
            with Logging("What an early call meets could not be read, so none starts early"):
                self._surroundings = await surroundings_of(self._scope)
        if self._over or self._surroundings is None or not self._may_start(call, self._surroundings):
            self._over = True
            return False
        memory = CallMemory()
        batch = Batch(calls=[call], scope=self._scope, memory=memory)
        self._started.append(_Started(call, memory, asyncio.ensure_future(run_calls(batch, stop=self._stop))))
        return True

    async def settle(self, calls: Sequence[ToolCall]) -> list[tuple[ToolCall, CallOutcome | None]]:
        """Return each call with its outcome, where it was started and came out unchanged, else with none.

        What was started otherwise is dropped. A call that has to run after its early run was dropped gets a new id,
        for the old one has its record.
        """
        self._over = True
        kept: list[_Started] = []
        for call, started in zip(calls, self._started, strict=False):
            if not _equal(call, started.call):
                break
            kept.append(started)
        await self._drop(self._started[len(kept) :])
        ran = {started.call.id for started in self._started}
        await asyncio.gather(*(started.task for started in kept))
        outcomes: dict[uuid.UUID, CallOutcome] = {}
        for started in kept:
            [outcome] = started.task.result()
            if outcome.result.reason != Reason.NOBODY_TO_ASK:
                self._memory.absorb(started.memory)
                outcomes[started.call.id] = outcome
        again = ran - set(outcomes)
        return [(_renamed(call) if call.id in again else call, outcomes.get(call.id)) for call in calls]

    async def drop(self) -> None:
        """End what was started and forget it: the response failed."""
        self._over = True
        await self._drop(self._started)
        self._started = []

    @staticmethod
    async def _drop(started: Sequence[_Started]) -> None:
        for each in started:
            each.task.cancel()
        await asyncio.gather(*(each.task for each in started), return_exceptions=True)

    def _may_start(self, call: ToolCall, surroundings: Surroundings) -> bool:
        batch = prepare([*(each.call for each in self._started), call], self._scope, surroundings.tools)
        refuse_repeats(batch, self._memory)
        running = batch[-1]
        with Catching(running):
            judge_as_sent(running, surroundings.law)
        return running.open and _is_harmless(running) and running.judgement.verdict.action is Action.ALLOW


def _renamed(call: ToolCall) -> ToolCall:
    return replace(call, id=uuid.uuid4())


def _is_harmless(running: Running) -> bool:
    with Catching(running):
        bound, request = running.prepared()
        safe = bound.executor.is_concurrency_safe(request.tool_input, bound.config)
        return bool(safe) and is_read_only(running) and not bound.executor.causes_sibling_abort
    return False


def _equal(call: ToolCall, started: ToolCall) -> bool:
    if (call.id, call.name) != (started.id, started.name):
        return False
    try:
        final, early = read(call.arguments, sealed=call.sealed), read(started.arguments)
    except InvalidInputError:
        return False
    return canonical(final) == canonical(early)

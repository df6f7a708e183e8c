"""Runs calls before their response is complete, where nothing can come of it but time saved."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agent_tools.contract.calls import ToolCall
from agent_tools.contract.context import Scope
from agent_tools.contract.errors import InvalidInputError
from agent_tools.contract.interrupts import StopSignal
from agent_tools.contract.permissions import Action, PermissionAnswer, PermissionRequest
from agent_tools.contract.ports import Answer, Asker, Question
from agent_tools.pipeline.arguments import canonical, read
from agent_tools.pipeline.begun import Begun
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
    begun: Begun


class PatientAsker:
    """Asks through another asker, but not before `settled` is set."""

    def __init__(self, asker: Asker, settled: asyncio.Event) -> None:
        self._asker = asker
        self._settled = settled

    async def ask(self, question: Question) -> Answer:
        await self._settled.wait()
        return await self._asker.ask(question)

    async def permission(self, request: PermissionRequest) -> PermissionAnswer:
        await self._settled.wait()
        return await self._asker.permission(request)


class EarlyStarts:
    """The calls of one response that were started while it streamed.

    Only the calls at the head of a response may start: as soon as one cannot, none after it does, for it might depend
    on what that one does. Nobody is asked before the response is whole: a call for which a person is needed waits.
    """

    def __init__(self, scope: Scope, *, stop: StopSignal | None = None, memory: CallMemory | None = None) -> None:
        self._settled = asyncio.Event()
        self._scope = scope
        if scope.ports.can_ask:
            asker = PatientAsker(scope.ports.asker, self._settled)
            self._scope = replace(scope, ports=replace(scope.ports, asker=asker))
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
        batch = Batch(calls=[call], scope=self._scope)
        task = asyncio.ensure_future(run_calls(batch, stop=self._stop))
        self._started.append(_Started(call, Begun(task, batch.announced, batch.ending, batch.memory)))
        return True

    async def settle(self, calls: Sequence[ToolCall]) -> tuple[list[ToolCall], Mapping[uuid.UUID, Begun]]:
        """Return the calls, and the runs, by id, of those that were started and came out unchanged.

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
        for started in kept:
            await started.begun.until_announced()
        self._settled.set()
        begun = {started.call.id: started.begun for started in kept}
        again = {started.call.id for started in self._started} - set(begun)
        return [_renamed(call) if call.id in again else call for call in calls], begun

    async def drop(self) -> None:
        """End what was started and forget it: the response failed."""
        self._over = True
        await self._drop(self._started)
        self._started = []

    @staticmethod
    async def _drop(started: Sequence[_Started]) -> None:
        for each in started:
            each.begun.task.cancel()
        await asyncio.gather(*(each.begun.task for each in started), return_exceptions=True)

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

"""Asks the person through rows: the question outlives the process, and may be answered anywhere."""

from __future__ import annotations

import asyncio
import uuid
from contextlib import suppress
from functools import partial

from agent_tools.contract.interrupts import StopSignal
from agent_tools.contract.permissions import Decision, PermissionAnswer, PermissionRequest
from agent_tools.contract.ports import Answer, Question
from chat.database import in_database
from chat.journal.recorder import Recorder
from chat.journal.wake import Ear, hub
from chat.models import RequestState
from chat.services import requests
from chat.services.requests import Standing
from chat.turn.clock import TurnClock

LOOK_SECONDS = 2.0
UNANSWERED = {RequestState.EXPIRED: Decision.EXPIRED, RequestState.CANCELLED: Decision.CANCELLED}


class ConversationAsker:
    """An `Asker` whose person may be on any socket of any process. The turn's clock stands still meanwhile."""

    def __init__(self, recorder: Recorder, clock: TurnClock, stop: StopSignal) -> None:
        self._recorder = recorder
        self._clock = clock
        self._stop = stop

    async def permission(self, request: PermissionRequest) -> PermissionAnswer:
        # The clock stops before the question can be seen: an answer may come the moment it is stored.
        with self._clock.paused():
            row = await self._recorder.record(write=partial(requests.put_permission, asked=request))
            settled = await self._settled(row.pk)
        unanswered = UNANSWERED.get(RequestState(settled.state))
        return PermissionAnswer(
            decision=unanswered or Decision(settled.answer["decision"]),
            arguments_hash=row.arguments_hash,
            reason=str(settled.answer.get("reason", "")),
        )

    async def ask(self, question: Question) -> Answer:
        with self._clock.paused():
            row = await self._recorder.record(write=partial(requests.put_question, asked=question))
            settled = await self._settled(row.pk)
        if settled.state != RequestState.ANSWERED:
            return Answer(answered=False)
        chosen = tuple(settled.answer.get("chosen", ()))
        return Answer(answered=True, text=settled.answer.get("text", "") or ", ".join(chosen), chosen=chosen)

    async def _settled(self, request_id: uuid.UUID) -> Standing:
        with hub().listening(requests.topic_of(request_id)) as ear:
            while (now := await in_database(requests.standing, request_id)).pending:
                if self._stop.is_set:
                    return Standing(RequestState.CANCELLED, {}, 0.0)
                if now.left <= 0:
                    await self._recorder.record(write=partial(requests.expire, request_id=request_id))
                else:
                    await self._news(ear, min(now.left, LOOK_SECONDS))
        await self._recorder.record(write=partial(requests.mark_delivered, request_id=request_id))
        return now

    async def _news(self, ear: Ear, seconds: float) -> None:
        """Wait for an answer, the turn's stop, or some time."""
        waits = [asyncio.ensure_future(ear.wait(seconds)), asyncio.ensure_future(self._stop.wait())]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waits:
                each.cancel()
                with suppress(asyncio.CancelledError):
                    await each

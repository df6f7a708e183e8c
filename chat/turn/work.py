"""A turn as its runner has it in hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from agent_tools.contract.definition import ToolDefinition
from agent_tools.contract.interrupts import StopSignal
from agent_tools.contract.ports import Ports
from agent_tools.services.execution import CallMemory
from chat.journal.recorder import Recorder
from chat.journal.store import Held
from chat.llm.model import LanguageModel
from chat.llm.types import Message
from chat.models import ChatModel, TurnReason
from chat.turn.clock import TurnClock

T = TypeVar("T")
GRACE_SECONDS = 0.5


class StopReason(StrEnum):
    """Why running work is asked to end; told to the model."""

    PERSON = "stopped by the person"
    OUT_OF_TIME = "the turn ran out of its time"


class EndedError(Exception):
    """The turn is to end before its answer is complete."""

    def __init__(self, reason: TurnReason, code: str = "", message: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code
        self.message = message


class LeftError(Exception):
    """The process ends: the turn is left where it stands, for another to go on."""


@dataclass(slots=True, kw_only=True, eq=False)
class Work:
    """What the parts of a turn share. `stop` asks running work to end; `leave` asks the turn to let go of itself at the
    next place where nothing is lost.
    """

    held: Held
    user_id: int
    row: ChatModel
    origin: str
    thinking: bool
    model: LanguageModel
    recorder: Recorder
    clock: TurnClock
    stop: StopSignal = field(default_factory=StopSignal)
    leave: asyncio.Event = field(default_factory=asyncio.Event)
    memory: CallMemory = field(default_factory=CallMemory)
    tools: tuple[ToolDefinition, ...] = ()
    history: list[Message] = field(default_factory=list)
    ports: Ports = field(default_factory=Ports)
    step: int = 0

    def check(self) -> None:
        """Raise `EndedError` or `LeftError` when the turn is not to go on."""
        if self.stop.is_set:
            raise ended_by(self.stop)
        if self.leave.is_set():
            raise LeftError

    async def unless_stopped(self, doing: Coroutine[Any, Any, T]) -> T:
        """Await something; when the turn is not to go on it is cancelled, and `check` raises."""
        task = asyncio.ensure_future(doing)
        signals = [asyncio.ensure_future(self.stop.wait()), asyncio.ensure_future(self.leave.wait())]
        try:
            await asyncio.wait([task, *signals], return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
        finally:
            for each in (task, *signals):
                each.cancel()
            await _let_go(task)
        self.check()
        raise AssertionError("a signal was set, and is not any more")


async def _let_go(task: asyncio.Future[Any]) -> None:
    """Give cancelled work a moment to close what it has open; what it still raises is nobody's concern."""
    if not task.done():
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.wait({task}, timeout=GRACE_SECONDS)


PortsBuilder = Callable[[Work], Ports]


def ended_by(stop: StopSignal) -> EndedError:
    """Return how a turn ends that was asked to."""
    if stop.reason == StopReason.OUT_OF_TIME:
        return EndedError(
            TurnReason.TIMEOUT, "turn_timeout", "The turn ran out of its time. What was done so far is kept."
        )
    return EndedError(TurnReason.STOPPED)

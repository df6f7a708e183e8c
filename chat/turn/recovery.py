"""Takes up a batch of calls whose runner is gone: nothing that may have had effects is run again."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

from agent_tools.contract.calls import ToolCall
from agent_tools.contract.context import Scope
from agent_tools.contract.events import ToolResultEvent
from agent_tools.selectors.endings import CallEnding, endings_by_id
from agent_tools.services.execution import recover_interrupted, repeatable_calls
from chat.journal.store import Held
from chat.models import Event, Request, RequestKind


@dataclass(frozen=True, slots=True)
class Salvage:
    """What is left of a batch: calls to run, those among them whose rows are open, and how the others ended; `untold`
    are endings that the journal does not have yet.
    """

    calls: tuple[ToolCall, ...]
    resumed: frozenset[uuid.UUID] = frozenset()
    ended: dict[uuid.UUID, CallEnding] = field(default_factory=dict)
    untold: tuple[uuid.UUID, ...] = ()


def salvage(held: Held, calls: Sequence[ToolCall], scope: Scope) -> Salvage:
    """Look at the calls of a response that have no answers yet, and close what cannot go on.

    Calls that were never taken up are run. Of those that were running, these are taken up again: all, while a person's
    permission for one of them is still awaited (before, nothing runs but what changes nothing); one that only asks the
    person; those that change nothing. The others are closed as interrupted.
    """
    rows = endings_by_id(call.id for call in calls)
    if not rows:
        return Salvage(tuple(calls))
    running = [call for call in calls if call.id in rows and rows[call.id].open]
    again = _goes_on(held, running, scope)
    recover_interrupted(call_ids=[call.id for call in running if call.id not in again])
    rows = endings_by_id(call.id for call in calls)
    ended = {call_id: row for call_id, row in rows.items() if not row.open}
    told = set(_told(held))
    return Salvage(
        calls=tuple(call for call in calls if call.id not in ended),
        resumed=again,
        ended=ended,
        untold=tuple(call_id for call_id in ended if str(call_id) not in told),
    )


def close_all(calls: Sequence[ToolCall]) -> frozenset[uuid.UUID]:
    """Close the rows of calls that are not to go on, and return the ids of those that have rows."""
    recover_interrupted(call_ids=[call.id for call in calls])
    return frozenset(endings_by_id(call.id for call in calls))


def ending_event(ending: CallEnding, step: int) -> ToolResultEvent:
    """Return the event that tells how a call ended."""
    return ToolResultEvent(
        tool_call_id=ending.call_id,
        name=ending.name,
        output=ending.content,
        is_error=ending.is_error,
        metadata=ending.metadata,
        step=step,
    )


def _goes_on(held: Held, running: Sequence[ToolCall], scope: Scope) -> frozenset[uuid.UUID]:
    ids = {call.id for call in running}
    waiting = Request.objects.filter(turn=held.turn_id, call_id__in=ids, delivered=False)
    if waiting.filter(kind=RequestKind.PERMISSION).exists():
        return frozenset(ids)
    asking = set(waiting.filter(kind=RequestKind.QUESTION).values_list("call_id", flat=True))
    return repeatable_calls(running, scope) | asking


def _told(held: Held) -> list[str]:
    told = Event.objects.filter(turn_id=held.turn_id, type=ToolResultEvent.type)
    return [data["tool_call_id"] for data in told.values_list("data", flat=True)]

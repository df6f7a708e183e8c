"""The calls of one response: run as one batch, each answered exactly once."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from agent_tools.contract.calls import CallStatus, Door, Ran, Reason, ToolCall
from agent_tools.contract.context import Scope
from agent_tools.contract.events import ToolResultEvent
from agent_tools.contract.outcome import CallOutcome
from agent_tools.contract.result import ToolResult
from agent_tools.services.execution import EarlyStarts, refuse_batch, run_batch
from chat.context.history import neutral
from chat.database import in_database
from chat.journal.store import append
from chat.llm.types import RawCall
from chat.models import Conversation, Message, Turn
from chat.services.steps import CallAnswer, answer_calls, rename_calls
from chat.turn.recovery import Salvage, close_all, ending_event, salvage
from chat.turn.work import Work

STEP_LIMIT = "Not run: the limit of {limit} rounds of calls in one turn is reached. Answer with what you have."


async def run(
    work: Work, message: Message, *, early: EarlyStarts | None = None, taken_over: bool = False, notice: str = ""
) -> None:
    """Run the calls of a response and store their answers, the last with the notice for the model. What was started
    `early` is only waited for, and of a batch that was `taken_over` only the rest is run.
    """
    scope = scope_of(work)
    calls = [call_of(stored) for stored in message.calls]
    found = await in_database(salvage, work.held, calls, scope) if taken_over else Salvage(tuple(calls))
    outcomes = await run_batch(
        found.calls, scope, stop=work.stop, memory=work.memory, early=early, resumed=found.resumed
    )
    ran = dict(zip((call.id for call in found.calls), outcomes, strict=True))
    answers = {old: _answer(outcome) for old, outcome in ran.items()} | {
        call_id: CallAnswer(call_id=call_id, content=ending.content, is_error=ending.is_error)
        for call_id, ending in found.ended.items()
    }
    store = partial(
        _store,
        message=message,
        answers=[answers[call.id] for call in calls],
        renamed={old: outcome.call.id for old, outcome in ran.items() if outcome.call.id != old},
        untold=[ending_event(found.ended[call_id], message.step) for call_id in found.untold],
        notice=notice,
    )
    rows = await work.recorder.record(write=store)
    work.history += neutral([message, *rows])


async def refuse(work: Work, message: Message, limit: int, *, taken_over: bool) -> list[CallAnswer]:
    """Record and answer calls that are not run because the turn's limit is reached."""
    refusal = ToolResult.failed(
        STEP_LIMIT.format(limit=limit), reason=Reason.STEP_LIMIT, status=CallStatus.DENIED, ran=Ran.NO
    )
    calls = [call_of(stored) for stored in message.calls]
    known = await in_database(close_all, calls) if taken_over else frozenset()
    await refuse_batch([call for call in calls if call.id not in known], scope_of(work), refusal)
    return [CallAnswer(call_id=call.id, content=refusal.content, is_error=True) for call in calls]


def scope_of(work: Work) -> Scope:
    """Return what the calls of the step's response share."""
    return Scope(
        door=Door.CHAT,
        user_id=work.user_id,
        session_id=work.held.conversation_id,
        workspace_id=work.held.conversation_id,
        tools=frozenset(tool.name for tool in work.tools),
        ports=work.ports,
        thinking=work.thinking,
        step=work.step,
    )


def raw_call(call: RawCall, own: uuid.UUID) -> ToolCall:
    """Return a call as the model made it, under our own id."""
    return ToolCall(
        name=call.name, arguments=call.arguments, id=own, provider_id=call.provider_id, sealed=call.complete
    )


def call_of(stored: dict[str, Any]) -> ToolCall:
    """Return a stored call as the pipeline takes it."""
    return ToolCall(
        name=stored["name"],
        arguments=stored["arguments"],
        id=uuid.UUID(stored["id"]),
        provider_id=stored.get("provider_id"),
        sealed=stored.get("sealed", True),
    )


def _answer(outcome: CallOutcome) -> CallAnswer:
    return CallAnswer(call_id=outcome.call.id, content=outcome.result.content, is_error=not outcome.result.success)


def _store(
    conversation: Conversation,
    turn: Turn,
    *,
    message: Message,
    answers: Sequence[CallAnswer],
    renamed: Mapping[uuid.UUID, uuid.UUID],
    untold: Sequence[ToolResultEvent],
    notice: str,
) -> list[Message]:
    append(conversation, untold, turn_id=turn.pk)
    if renamed:
        rename_calls(message, renamed)
    return answer_calls(conversation, turn, message.step, answers, notice=notice)

"""One step: a request to the model, its stream into the journal, its end into the rows."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial

from django.db import InterfaceError, OperationalError

from agent_tools.contract.events import NotificationEvent
from agent_tools.services.execution import EarlyStarts
from chat.context.prompt import system_prompt
from chat.database import in_database
from chat.events import TextDelta, ThinkingDelta
from chat.journal.store import SupersededError
from chat.llm import types as llm
from chat.llm.usage import Usage, estimate_tokens
from chat.models import Conversation, Message, Turn
from chat.services import steps
from chat.services.models import keep_profile
from chat.turn import batch
from chat.turn.work import LeftError, Work

LEFT = (LeftError, SupersededError, OperationalError, InterfaceError)
"""After these the turn is another runner's, who asks again."""
Settle = Callable[[Conversation, Turn, Message], None]


@dataclass(slots=True)
class Partial:
    """What a response has shown so far."""

    text: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)

    ids: dict[int, uuid.UUID] = field(default_factory=dict)

    def id_of(self, call: llm.RawCall) -> uuid.UUID:
        """Return our own id of a call, from its first mention on."""
        return self.ids.setdefault(call.position, uuid.uuid4())

    def as_response(self, request: llm.Request) -> llm.Response:
        """Return it as a response that was cut, its usage estimated."""
        text, thinking = "".join(self.text), "".join(self.thinking)
        sent = sum(estimate_tokens(message.content) for message in request.messages)
        usage = Usage(input_tokens=sent, output_tokens=estimate_tokens(text + thinking), estimated=True)
        return llm.Response(text=text, thinking=thinking, usage=usage, finish_reason="interrupted")


async def respond(work: Work, *, closing: bool, settle: Settle) -> tuple[Message, EarlyStarts | None]:
    """Ask the model once and store what it says; `settle` joins the transaction that stores the response. In the
    `closing` step the model is told to call no more tools. Return the response's row, and its calls that were started
    while it streamed.

    What was shown of a response that does not come to its end is stored as interrupted. Raises `ProviderError`,
    `EndedError`, `LeftError` or `SupersededError`.
    """
    await work.recorder.record(write=partial(_begin, work=work))
    request = _request(work, closing=closing)
    shown, before = Partial(), work.model.profile
    early = None if closing or not work.tools else EarlyStarts(batch.scope_of(work), stop=work.stop, memory=work.memory)
    try:
        response = await work.unless_stopped(_stream(work, request, shown, early))
        write = partial(_store, work=work, response=response, shown=shown, settle=settle)
        return await work.recorder.record(write=write), early
    except BaseException as error:
        if early is not None:
            await early.drop()
        if isinstance(error, Exception) and not isinstance(error, LEFT):
            await _keep_partial(work, shown.as_response(request))
        raise
    finally:
        if work.model.profile != before:
            await in_database(keep_profile, work.row.pk, work.model.profile)


def _request(work: Work, *, closing: bool) -> llm.Request:
    return llm.Request(
        messages=(llm.Message(role=llm.Role.SYSTEM, content=system_prompt()), *work.history),
        tools=work.tools,
        tool_choice="none" if closing and work.tools else "auto",
        thinking=work.thinking,
    )


async def _stream(work: Work, request: llm.Request, shown: Partial, early: EarlyStarts | None) -> llm.Response:
    async with aclosing(work.model.stream(request)) as events:
        async for event in events:
            match event:
                case llm.TextDelta(text):
                    shown.text.append(text)
                    await work.recorder.delta(TextDelta(step=work.step, text=text))
                case llm.ThinkingDelta(text):
                    shown.thinking.append(text)
                    await work.recorder.delta(ThinkingDelta(step=work.step, text=text))
                case llm.CallSealed(call) if early is not None and work.model.profile.starts_early:
                    await early.offer(batch.raw_call(call, shown.id_of(call)))
                case llm.Retrying():
                    await work.recorder.record(_retrying(work, event), write=partial(_begin, work=work))
                case llm.Response():
                    return event
                case _:
                    pass
    raise AssertionError("the model's stream ended without a response")


def _begin(conversation: Conversation, turn: Turn, *, work: Work) -> int:
    return steps.begin(conversation, turn, work.step, spent_ms=round(work.clock.spent * 1000))


def _retrying(work: Work, event: llm.Retrying) -> NotificationEvent:
    return NotificationEvent(
        level="warning",
        message=f"{event.message} The request is sent again in {event.delay:.0f} s.",
        details={"code": "retrying", "reason": event.reason, "step": work.step, "delay": round(event.delay, 1)},
    )


def _store(
    conversation: Conversation, turn: Turn, *, work: Work, response: llm.Response, shown: Partial, settle: Settle
) -> Message:
    ids = [shown.id_of(call) for call in response.calls]
    message = steps.add_response(conversation, turn, work.step, response, ids=ids, origin=work.origin)
    settle(conversation, turn, message)
    return message


async def _keep_partial(work: Work, response: llm.Response) -> None:
    """Store what was shown; a step that showed nothing leaves no message."""
    if response.text or response.thinking:
        keep = partial(_store_partial, work=work, response=response)
        await work.recorder.record(write=keep)


def _store_partial(conversation: Conversation, turn: Turn, *, work: Work, response: llm.Response) -> None:
    steps.add_response(conversation, turn, work.step, response, ids=(), origin=work.origin, interrupted=True)

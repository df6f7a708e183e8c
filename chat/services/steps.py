"""Writes the rows of a step: its beginning, the model's response, the answers to its calls. Conversation and turn are
locked by the caller.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils import timezone

from chat.events import StepStarted, UsageReported
from chat.journal.store import append
from chat.llm.types import RawCall, Response
from chat.llm.usage import Usage
from chat.models import ChatModel, Conversation, Message, Role, Step, Turn

PER_MILLION = Decimal(1_000_000)
LONGEST_FINISH_REASON = 40


def begin(conversation: Conversation, turn: Turn, number: int, spent_ms: int) -> int:
    """Note that a step's request goes out, and tell it; return which attempt it is (from 1)."""
    step, is_new = Step.objects.get_or_create(turn=turn, number=number)
    if not is_new:
        step.attempt += 1
        step.save(update_fields=["attempt"])
    Turn.objects.filter(pk=turn.pk).update(spent_ms=spent_ms)
    append(conversation, [StepStarted(step=number, attempt=step.attempt)], turn_id=turn.pk)
    return step.attempt


def add_message(conversation: Conversation, turn: Turn, **fields: Any) -> Message:
    """Add a message to a turn, behind its last one. The branch on view grows with it where it ended there."""
    head = head_of(turn)
    message = Message.objects.create(conversation=conversation, turn=turn, parent_id=head, **fields)
    if conversation.leaf_id == head:
        conversation.leaf = message
        Conversation.objects.filter(pk=conversation.pk).update(leaf=message)
    return message


def head_of(turn: Turn) -> int:
    """Return the newest message of a turn's own branch: its last one, or the person's."""
    own = Message.objects.filter(turn=turn).exclude(role=Role.USER)
    return own.order_by("-pk").values_list("pk", flat=True).first() or turn.user_message_id


def add_response(
    conversation: Conversation,
    turn: Turn,
    number: int,
    response: Response,
    *,
    ids: Sequence[uuid.UUID],
    origin: str = "",
    interrupted: bool = False,
) -> Message:
    """Store a response, or what there is of one that was `interrupted`, and report what it used; `ids` are our own,
    one for each call.
    """
    message = add_message(
        conversation,
        turn,
        step=number,
        role=Role.ASSISTANT,
        content=response.text,
        thinking=response.thinking,
        reasoning_field=response.reasoning_field,
        calls=[_call(own, call) for own, call in zip(ids, response.calls, strict=True)],
        extra=dict(response.extra),
        origin=origin,
        interrupted=interrupted,
    )
    Step.objects.filter(turn=turn, number=number).update(
        finish_reason=response.finish_reason[:LONGEST_FINISH_REASON], finished_at=timezone.now()
    )
    add_usage(conversation, turn, number, response.usage)
    return message


def _call(own: uuid.UUID, call: RawCall) -> dict[str, Any]:
    return {
        "id": str(own),
        "provider_id": call.provider_id,
        "name": call.name,
        "arguments": call.arguments,
        "sealed": call.complete,
        "extra": dict(call.extra),
    }


def add_usage(conversation: Conversation, turn: Turn, number: int, usage: Usage) -> None:
    """Add what a response used to its step, and report the step's sum."""
    price = cost_of(turn.model, usage)
    step = Step.objects.get(turn=turn, number=number)
    step.input_tokens += usage.input_tokens
    step.output_tokens += usage.output_tokens
    step.cached_tokens += usage.cached_tokens
    step.estimated = step.estimated or usage.estimated
    step.cost = price if step.cost is None else step.cost + (price or 0)
    step.save(update_fields=["input_tokens", "output_tokens", "cached_tokens", "estimated", "cost"])
    reported = UsageReported(
        step=number,
        input_tokens=step.input_tokens,
        output_tokens=step.output_tokens,
        cached_tokens=step.cached_tokens,
        cost=None if step.cost is None else f"{step.cost:f}",
        estimated=step.estimated,
    )
    append(conversation, [reported], turn_id=turn.pk)


def cost_of(model: ChatModel | None, usage: Usage) -> Decimal | None:
    """Return what the tokens cost by the model's prices; none where no price is known."""
    if model is None or (model.input_price is None and model.output_price is None):
        return None
    total = usage.input_tokens * (model.input_price or 0) + usage.output_tokens * (model.output_price or 0)
    return Decimal(total) / PER_MILLION


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAnswer:
    """What a model is told about one of its calls."""

    call_id: uuid.UUID
    content: str
    is_error: bool


def answer_calls(
    conversation: Conversation, turn: Turn, number: int, answers: Iterable[CallAnswer], *, notice: str = ""
) -> list[Message]:
    """Store the answers to a response's calls in their order; the last one carries the `notice`."""
    told = list(answers)
    return [
        add_message(
            conversation,
            turn,
            step=number,
            role=Role.TOOL,
            call_id=answer.call_id,
            content=answer.content,
            is_error=answer.is_error,
            notice=notice if answer is told[-1] else "",
        )
        for answer in told
    ]


def rename_calls(message: Message, names: Mapping[uuid.UUID, uuid.UUID]) -> None:
    """Give calls of a response other ids."""
    renamed = {str(old): str(new) for old, new in names.items()}
    message.calls = [{**call, "id": renamed.get(call["id"], call["id"])} for call in message.calls]
    message.save(update_fields=["calls"])

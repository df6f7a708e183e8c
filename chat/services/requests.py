"""Questions and permissions: put to the person, answered once, withdrawn or expired."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from agent_tools.contract.errors import InvalidInputError, Problem
from agent_tools.contract.events import Event
from agent_tools.contract.permissions import PermissionRequest
from agent_tools.contract.ports import Question
from chat.events import PermissionRequested, QuestionAsked, Resolved
from chat.frames import Answer, Decide
from chat.journal import wake
from chat.journal.store import append, lock
from chat.models import Conversation, Request, RequestKind, RequestState, Turn
from chat.services.access import owned
from chat.services.errors import MissingError, NotNowError


@dataclass(frozen=True, slots=True)
class Standing:
    """How a request stands; `left` is in seconds."""

    state: str
    answer: Mapping[str, Any]
    left: float

    @property
    def pending(self) -> bool:
        return self.state == RequestState.PENDING


def topic_of(request_id: uuid.UUID) -> str:
    """Return the name under which a request's settling is announced."""
    return f"request.{request_id.hex}"


def put_permission(conversation: Conversation, turn: Turn, *, asked: PermissionRequest) -> Request:
    """Put a permission to the person; one that was put before is found again, and goes on. Both rows are locked."""
    request, is_new = Request.objects.get_or_create(
        turn=turn,
        call_id=asked.call_id,
        kind=RequestKind.PERMISSION,
        arguments_hash=asked.arguments_hash,
        defaults={
            "conversation": conversation,
            "payload": {"name": asked.slug, "arguments": dict(asked.arguments), "reasons": list(asked.reasons)},
            "deadline": timezone.now() + timedelta(seconds=asked.timeout),
        },
    )
    if is_new:
        event = PermissionRequested(
            id=request.pk,
            call=asked.call_id,
            name=asked.slug,
            arguments=asked.arguments,
            arguments_hash=asked.arguments_hash,
            reasons=asked.reasons,
            deadline=request.deadline.isoformat(),
        )
        append(conversation, [event], turn_id=turn.pk)
    return request


def put_question(conversation: Conversation, turn: Turn, *, asked: Question) -> Request:
    """Put a question to the person; as `put_permission`."""
    payload = {"text": asked.text, "choices": list(asked.choices), "multiple": asked.multiple}
    request, is_new = Request.objects.get_or_create(
        turn=turn,
        call_id=asked.call_id,
        kind=RequestKind.QUESTION,
        arguments_hash="",
        defaults={
            "conversation": conversation,
            "payload": payload,
            "deadline": timezone.now() + timedelta(seconds=asked.timeout),
        },
    )
    if is_new:
        event = QuestionAsked(
            id=request.pk,
            call=asked.call_id,
            text=asked.text,
            choices=asked.choices,
            multiple=asked.multiple,
            deadline=request.deadline.isoformat(),
        )
        append(conversation, [event], turn_id=turn.pk)
    return request


def standing(request_id: uuid.UUID) -> Standing:
    """Return how a request stands; one that is gone counts as cancelled."""
    request = Request.objects.filter(pk=request_id).first()
    if request is None:
        return Standing(RequestState.CANCELLED, {}, 0.0)
    return Standing(request.state, request.answer, (request.deadline - timezone.now()).total_seconds())


def expire(conversation: Conversation, turn: Turn, *, request_id: uuid.UUID) -> None:
    """End the waiting, unless the person was faster."""
    pending = Request.objects.filter(pk=request_id, state=RequestState.PENDING)
    if pending.update(state=RequestState.EXPIRED, answered_at=timezone.now()):
        append(conversation, [Resolved(id=request_id, state=RequestState.EXPIRED)], turn_id=turn.pk)


def mark_delivered(conversation: Conversation, turn: Turn, *, request_id: uuid.UUID) -> None:
    """Note that the turn has the answer and goes on."""
    Request.objects.filter(pk=request_id).update(delivered=True)


def answer(user_id: int, conversation_id: uuid.UUID, frame: Answer) -> None:
    """Take the person's answer to a question, the first one. Raises `MissingError`, `NotNowError` when it is settled
    already, `InvalidInputError` for what was no choice.
    """
    with transaction.atomic():
        conversation = owned(user_id, conversation_id)
        request = _pending(conversation, frame.request, RequestKind.QUESTION)
        text = frame.text.strip()
        _check_answer(request.payload, text, frame.chosen)
        said = {"text": text, "chosen": list(frame.chosen)}
        _settle(conversation, request, user_id, said, Resolved(id=request.pk, state=RequestState.ANSWERED))


def decide(user_id: int, conversation_id: uuid.UUID, frame: Decide) -> None:
    """Take the person's decision on a permission, the first one, for exactly the arguments that were shown. Raises as
    `answer`, and `NotNowError` for other arguments.
    """
    with transaction.atomic():
        _decide(owned(user_id, conversation_id), user_id, frame)


def decide_for(operator_id: int, conversation_id: uuid.UUID, frame: Decide) -> None:
    """Take an operator's decision in place of the person's; otherwise as `decide`. The caller has checked that this
    operator may. Raises `SupersededError` when the conversation is gone.
    """
    with transaction.atomic():
        _decide(lock(conversation_id), operator_id, frame)


def _decide(conversation: Conversation, user_id: int, frame: Decide) -> None:
    request = _pending(conversation, frame.request, RequestKind.PERMISSION)
    if request.arguments_hash != frame.arguments_hash:
        raise NotNowError("The arguments are not those that were shown: look again.", reason="arguments_changed")
    said = {"decision": frame.decision, "reason": frame.reason}
    resolved = Resolved(id=request.pk, state=RequestState.ANSWERED, decision=frame.decision, reason=frame.reason)
    _settle(conversation, request, user_id, said, resolved)


def _pending(conversation: Conversation, request_id: uuid.UUID, kind: RequestKind) -> Request:
    request = Request.objects.filter(pk=request_id, conversation=conversation, kind=kind).first()
    if request is None:
        raise MissingError("This conversation asks no such thing.", reason="unknown_request")
    if request.state == RequestState.ANSWERED:
        raise NotNowError("This was answered already.", reason="already_answered")
    if request.state != RequestState.PENDING or request.deadline <= timezone.now():
        raise NotNowError("This is not asked any more.", reason="not_asked_any_more")
    return request


def _check_answer(payload: Mapping[str, Any], text: str, chosen: list[str]) -> None:
    choices = payload.get("choices", [])
    problems = [Problem("chosen", f"{each!r} is none of the choices.") for each in chosen if each not in choices]
    if len(chosen) > 1 and not payload.get("multiple"):
        problems.append(Problem("chosen", "holds several; one is asked for."))
    if not chosen and not text:
        problems.append(Problem("text", "must not be empty where nothing is chosen."))
    if problems:
        raise InvalidInputError(problems, reason="invalid_answer")


def _settle(conversation: Conversation, request: Request, user_id: int, said: dict[str, Any], event: Event) -> None:
    Request.objects.filter(pk=request.pk).update(
        state=RequestState.ANSWERED, answer=said, answered_by=user_id, answered_at=timezone.now()
    )
    append(conversation, [event], turn_id=request.turn_id)
    topic = topic_of(request.pk)
    transaction.on_commit(lambda: wake.announce(topic, {}))

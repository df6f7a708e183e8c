"""What a person does to the turns of a conversation: send, edit, ask again, stop."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db import transaction

from agent_tools.contract.errors import InvalidInputError, Problem
from chat.events import MessageAdded
from chat.frames import Edit, Regenerate, Send
from chat.journal import wake
from chat.journal.store import append
from chat.models import Conversation, Message, Role, Turn, TurnKind, TurnReason, TurnState
from chat.services.access import owned
from chat.services.endings import finish
from chat.services.errors import MissingError, NotNowError
from chat.services.leases import TURNS
from chat.services.limits import check_daily_tokens
from chat.services.models import choose
from chat.services.payloads import message_payload

LONGEST_TITLE = 80
UNFINISHED = (TurnState.QUEUED, TurnState.RUNNING)


@dataclass(frozen=True, slots=True)
class Accepted:
    """A turn that will run: at once, or `queued` behind others."""

    turn_id: uuid.UUID
    conversation_id: uuid.UUID
    message_id: int
    queued: bool


def send(user_id: int, conversation_id: uuid.UUID, frame: Send) -> Accepted:
    """Store a message at the end of the branch on view and the turn that answers it. A `client_id` that is known
    already changes nothing. Raises `MissingError`, `InvalidInputError` or `LimitError`.
    """
    with transaction.atomic():
        conversation = owned(user_id, conversation_id)
        return _known(conversation, frame.client_id) or _add(conversation, frame, TurnKind.SEND)


def edit(user_id: int, conversation_id: uuid.UUID, frame: Edit) -> Accepted:
    """Store another wording of a message beside it, and the turn that answers it. A message that still waits for its
    turn is replaced, and keeps its place. Raises as `send`.
    """
    with transaction.atomic():
        conversation = owned(user_id, conversation_id)
        known = _known(conversation, frame.client_id)
        if known is not None:
            return known
        original = Message.objects.filter(pk=frame.message, conversation=conversation, role=Role.USER).first()
        if original is None:
            raise MissingError(f"This conversation has no message {frame.message} of yours to edit.")
        waiting = Turn.objects.filter(user_message=original, state=TurnState.QUEUED).order_by("created_at").first()
        if waiting is None:
            return _add(conversation, frame, TurnKind.EDIT, parent_id=original.parent_id)
        replaced = _add(conversation, frame, TurnKind(waiting.kind), parent_id=original.parent_id)
        Turn.objects.filter(pk=replaced.turn_id).update(created_at=waiting.created_at)
        finish(conversation, waiting, TurnReason.STOPPED)
        return replaced


def regenerate(user_id: int, conversation_id: uuid.UUID, frame: Regenerate) -> Accepted:
    """Ask for another answer to the message of a turn that is over. Asked twice, it is one. Raises as `send`, and
    `NotNowError` while the turn is not over.
    """
    with transaction.atomic():
        conversation = owned(user_id, conversation_id)
        turn = Turn.objects.filter(pk=frame.turn, conversation=conversation).first()
        if turn is None:
            raise MissingError("This conversation has no such turn.")
        if turn.state != TurnState.FINISHED:
            raise NotNowError("This answer is not finished. Wait for its end, or stop it, then ask again.")
        same = Turn.objects.filter(user_message=turn.user_message_id, kind=TurnKind.REGENERATE, state__in=UNFINISHED)
        known = same.first()
        if known is not None:
            return _accepted(known)
        return _open(conversation, frame, turn.user_message, TurnKind.REGENERATE)


def stop(user_id: int, conversation_id: uuid.UUID, turn_id: uuid.UUID) -> bool:
    """Ask for the end of one turn and tell whether it still runs; one that waits ends at once. A turn that is over is
    left alone, so that a late stop harms nobody. Raises `MissingError`.
    """
    with transaction.atomic():
        conversation = owned(user_id, conversation_id)
        turn = Turn.objects.filter(pk=turn_id, conversation=conversation).first()
        if turn is None:
            raise MissingError("This conversation has no such turn.")
        if turn.state == TurnState.QUEUED:
            finish(conversation, turn, TurnReason.STOPPED)
        if turn.state != TurnState.RUNNING:
            return False
        Turn.objects.filter(pk=turn.pk).update(stop_requested=True)
        transaction.on_commit(lambda: wake.announce(TURNS, {}))
        return True


def _known(conversation: Conversation, client_id: str) -> Accepted | None:
    message = Message.objects.filter(conversation=conversation, client_id=client_id).first()
    turn = Turn.objects.filter(user_message=message).order_by("created_at").first() if message else None
    return _accepted(turn) if turn else None


def _accepted(turn: Turn) -> Accepted:
    return Accepted(turn.pk, turn.conversation_id, turn.user_message_id, queued=turn.state == TurnState.QUEUED)


def _add(conversation: Conversation, frame: Send | Edit, kind: TurnKind, *, parent_id: int | None = None) -> Accepted:
    if not frame.text.strip():
        raise InvalidInputError([Problem("text", "must hold more than blanks.")], reason="empty_message")
    queued = _busy(conversation)
    message = Message.objects.create(
        conversation=conversation,
        role=Role.USER,
        content=frame.text,
        client_id=frame.client_id,
        parent_id=conversation.leaf_id if kind == TurnKind.SEND and not queued else parent_id,
    )
    accepted = _open(conversation, frame, message, kind)
    Message.objects.filter(pk=message.pk).update(turn=accepted.turn_id)
    append(conversation, [MessageAdded(message=message_payload(message), queued=queued)], turn_id=accepted.turn_id)
    return accepted


def _open(conversation: Conversation, frame: Send | Edit | Regenerate, message: Message, kind: TurnKind) -> Accepted:
    check_daily_tokens(conversation.user_id)
    model = choose(conversation, frame.model)
    queued = _busy(conversation)
    turn = Turn.objects.create(
        conversation=conversation,
        user_message=message,
        model=model,
        kind=kind,
        tools_on=frame.tools and model.can_use_tools,
        thinking_on=frame.thinking and model.can_think,
    )
    conversation.model, conversation.tools_on, conversation.thinking_on = model, frame.tools, frame.thinking
    conversation.title = conversation.title or title_of(message.content)
    conversation.save(update_fields=["model", "tools_on", "thinking_on", "title", "updated_at"])
    return Accepted(turn.pk, conversation.pk, message.pk, queued)


def _busy(conversation: Conversation) -> bool:
    return Turn.objects.filter(conversation=conversation, state__in=UNFINISHED).exists()


def title_of(text: str) -> str:
    """Return a conversation's title: the first line of its first message, cut between words."""
    line = " ".join(next(iter(text.strip().splitlines()), "").split())
    if len(line) <= LONGEST_TITLE:
        return line
    head, space, _rest = line[: LONGEST_TITLE - 1].rpartition(" ")
    return f"{head if space else line[: LONGEST_TITLE - 1]}…"

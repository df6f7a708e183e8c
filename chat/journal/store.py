"""Appends to a conversation's journal and reads from a number on."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from agent_tools.contract.errors import AgentToolsError
from agent_tools.contract.events import Event as ContractEvent
from chat.journal import wake
from chat.models import Conversation, Event, Turn, TurnState

PAGE = 100


class SupersededError(AgentToolsError):
    """The writer holds the turn no longer: another runner took it over, it has ended, or its conversation is gone."""

    default_reason = "superseded"


@dataclass(frozen=True, slots=True)
class Held:
    """A turn as one runner holds it. A take-over raises the epoch, and writes with an older one are refused."""

    turn_id: uuid.UUID
    conversation_id: uuid.UUID
    epoch: int


@dataclass(frozen=True, slots=True)
class Page:
    """Events as they go over the wire, and the number up to which they lead."""

    events: tuple[dict[str, Any], ...]
    upto: int
    full: bool


def topic_of(conversation_id: uuid.UUID) -> str:
    """Return the name under which news of a conversation are announced."""
    return f"conversation.{conversation_id.hex}"


def lock(conversation_id: uuid.UUID) -> Conversation:
    """Lock a conversation until the transaction ends: whoever writes to one does so first, and waits for others.

    Raises `SupersededError` when it is gone.
    """
    conversation = Conversation.objects.select_for_update().filter(pk=conversation_id).first()
    if conversation is None:
        raise SupersededError("The conversation is gone.")
    return conversation


def hold(held: Held) -> tuple[Conversation, Turn]:
    """Lock the conversation and return it with the turn; raises `SupersededError` unless the holder still holds it."""
    conversation = lock(held.conversation_id)
    turn = Turn.objects.filter(pk=held.turn_id, epoch=held.epoch, state=TurnState.RUNNING).first()
    if turn is None:
        raise SupersededError("The turn is held by another runner, or has ended.")
    return conversation, turn


def append(conversation: Conversation, events: Sequence[ContractEvent], *, turn_id: uuid.UUID | None = None) -> int:
    """Number and store events of a locked conversation; return the number of the first. Followers are woken once the
    transaction is committed.
    """
    first = conversation.last_seq + 1
    if not events:
        return first
    conversation.last_seq += len(events)
    Conversation.objects.filter(pk=conversation.pk).update(last_seq=conversation.last_seq)
    Event.objects.bulk_create(
        Event(conversation=conversation, seq=first + offset, turn_id=turn_id, type=event.type, data=event.payload())
        for offset, event in enumerate(events)
    )
    topic, upto = topic_of(conversation.pk), conversation.last_seq
    transaction.on_commit(lambda: wake.announce(topic, {"upto": upto}))
    return first


def read(conversation_id: uuid.UUID, after: int, *, limit: int = PAGE) -> Page:
    """Return what follows a number. For a reader that stands before the fold this is an unnumbered
    `snapshot {upto}`: up to there everything is in the rows, and the journal goes on from there.
    """
    rows = list(
        Event.objects.filter(conversation_id=conversation_id, seq__gt=after)
        .order_by("seq")
        .values_list("seq", "type", "turn_id", "created_at", "data", "conversation__folded_upto")[:limit]
    )
    if rows and rows[0][-1] > after:
        upto = resume_point(conversation_id)
        return Page(({"type": "snapshot", "upto": upto},), upto, full=True)
    events = tuple(
        {"seq": seq, "type": kind, "turn": str(turn) if turn else None, "at": at.isoformat(), **data}
        for seq, kind, turn, at, data, _folded in rows
    )
    return Page(events, rows[-1][0] if rows else after, full=len(rows) == limit)


def resume_point(conversation_id: uuid.UUID) -> int:
    """Return the number up to which the rows tell everything: the beginning of the running turn, or the end.

    A page reads it before it reads the rows, and follows the journal from there; what it meets twice has equal ids.
    """
    running = (
        Turn.objects.filter(conversation_id=conversation_id, state=TurnState.RUNNING)
        .values_list("first_seq", "conversation__last_seq")
        .first()
    )
    if running is not None:
        first, last = running
        return (first or last + 1) - 1
    last_seq = Conversation.objects.filter(pk=conversation_id).values_list("last_seq", flat=True).first()
    return last_seq or 0

"""Who runs a turn: claimed from the queue, kept by a lease, taken over when its holder is gone."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from chat.conf import conf
from chat.events import TurnStarted
from chat.journal.store import Held, append, lock
from chat.models import Conversation, Turn, TurnKind, TurnReason, TurnState
from chat.services.endings import finish

TURNS = "turns"
"""The topic under which runners hear that they should look at their turns."""
MOST_TAKE_OVERS = 10


def claim_next(conversation_id: uuid.UUID, runner: str) -> Held | None:
    """Start the conversation's next waiting turn for a runner; none while another runs, or when none waits."""
    with transaction.atomic():
        conversation = lock(conversation_id)
        turns = Turn.objects.filter(conversation=conversation)
        if turns.filter(state=TurnState.RUNNING).exists():
            return None
        turn = turns.filter(state=TurnState.QUEUED).select_related("user_message").order_by("created_at", "pk").first()
        if turn is None:
            return None
        message = turn.user_message
        if turn.kind == TurnKind.SEND:
            message.parent_id = conversation.leaf_id
            message.save(update_fields=["parent"])
        Conversation.objects.filter(pk=conversation.pk).update(leaf=message)
        turn.state, turn.started_at = TurnState.RUNNING, timezone.now()
        return _give(conversation, turn, runner)


def take_over(turn_id: uuid.UUID, runner: str) -> Held | None:
    """Take a turn whose lease is over; none when somebody else was faster. One that was taken over too often is what
    kills its runners: it ends as failed.
    """
    found = Turn.objects.filter(pk=turn_id).values_list("conversation_id", flat=True).first()
    if found is None:
        return None
    with transaction.atomic():
        conversation = lock(found)
        turn = abandoned().filter(pk=turn_id).first()
        if turn is None:
            return None
        if turn.epoch > MOST_TAKE_OVERS:
            finish(
                conversation,
                turn,
                TurnReason.FAILED,
                error_code="interrupted_too_often",
                error_message="This answer was interrupted too often and has been given up. Ask again.",
            )
            return None
        return _give(conversation, turn, runner)


def _give(conversation: Conversation, turn: Turn, runner: str) -> Held:
    turn.epoch += 1
    turn.runner, turn.lease_until = runner, timezone.now() + timedelta(seconds=conf.lease_seconds)
    started = TurnStarted(
        message=turn.user_message_id,
        model=turn.model.label if turn.model else "",
        tools=turn.tools_on,
        thinking=turn.thinking_on,
        epoch=turn.epoch,
    )
    first = append(conversation, [started], turn_id=turn.pk)
    turn.first_seq = turn.first_seq or first
    turn.save(update_fields=["state", "started_at", "epoch", "runner", "lease_until", "first_seq"])
    return Held(turn.pk, conversation.pk, turn.epoch)


def abandoned() -> QuerySet[Turn]:
    """Return the running turns whose lease is over."""
    return Turn.objects.filter(Q(lease_until__isnull=True) | Q(lease_until__lt=timezone.now()), state=TurnState.RUNNING)


@dataclass(frozen=True, slots=True)
class Work:
    """What nobody runs: turns to be taken over, and conversations whose next turn can start."""

    abandoned: tuple[uuid.UUID, ...]
    startable: tuple[uuid.UUID, ...]


def open_work(most: int = 100) -> Work:
    """Look for what nobody runs."""
    running = Turn.objects.filter(conversation=OuterRef("conversation"), state=TurnState.RUNNING)
    queued = Turn.objects.filter(~Exists(running), state=TurnState.QUEUED).order_by("created_at")
    return Work(
        abandoned=tuple(abandoned().order_by("lease_until").values_list("pk", flat=True)[:most]),
        startable=tuple(dict.fromkeys(queued.values_list("conversation_id", flat=True)[:most])),
    )


def renew(runner: str, turn_ids: Collection[uuid.UUID]) -> None:
    """Prolong the leases of a runner's turns."""
    until = timezone.now() + timedelta(seconds=conf.lease_seconds)
    Turn.objects.filter(pk__in=turn_ids, runner=runner, state=TurnState.RUNNING).update(lease_until=until)


@dataclass(frozen=True, slots=True)
class Sight:
    """How a runner's turn stands in the database."""

    epoch: int
    stop_requested: bool


def look(runner: str, turn_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Sight]:
    """Return how a runner's turns stand; one that it no longer holds is missing."""
    rows = Turn.objects.filter(pk__in=turn_ids, runner=runner, state=TurnState.RUNNING)
    return {pk: Sight(epoch, stop) for pk, epoch, stop in rows.values_list("pk", "epoch", "stop_requested")}


def release(held: Held) -> None:
    """Give a turn up, so that the next sweep takes it over."""
    Turn.objects.filter(pk=held.turn_id, epoch=held.epoch, state=TurnState.RUNNING).update(
        runner="", lease_until=timezone.now() - timedelta(seconds=1)
    )

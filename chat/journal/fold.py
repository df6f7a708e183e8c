"""Folds journals: what only served to watch a turn goes once the turn is over for a while, the rows keep the rest."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from agent_tools.contract.events import ToolProgressEvent
from chat.events import TextDelta, ThinkingDelta
from chat.journal.store import lock
from chat.models import Conversation, Event, Turn, TurnState

PASSING = (TextDelta.type, ThinkingDelta.type, ToolProgressEvent.type)
REST_SECONDS = 120.0


def fold_next(*, rest: float = REST_SECONDS) -> bool:
    """Fold one turn that has been over for `rest` seconds, so that slow readers are not cut off; tell whether there
    was one.
    """
    before = timezone.now() - timedelta(seconds=rest)
    turns = Turn.objects.filter(state=TurnState.FINISHED, folded=False, finished_at__lt=before)
    turn = turns.order_by("finished_at").first()
    if turn is not None:
        fold(turn)
    return turn is not None


def fold(turn: Turn) -> None:
    """Remove a finished turn's deltas and progress from the journal."""
    with transaction.atomic():
        conversation = lock(turn.conversation_id)
        passing = Event.objects.filter(conversation=conversation, turn_id=turn.pk, type__in=PASSING)
        upto = passing.aggregate(upto=Max("seq"))["upto"]
        if upto is not None:
            passing.delete()
            folded = max(conversation.folded_upto, upto)
            Conversation.objects.filter(pk=conversation.pk).update(folded_upto=folded)
        Turn.objects.filter(pk=turn.pk).update(folded=True)

"""Brings a turn to its end: state, open requests, the last events, all in the caller's transaction."""

from __future__ import annotations

from django.utils import timezone

from agent_tools.contract.events import Event
from chat.events import ErrorHappened, Resolved, TurnFinished
from chat.journal.store import append
from chat.models import Conversation, Message, Request, RequestState, Role, Turn, TurnReason, TurnState


def finish(
    conversation: Conversation, turn: Turn, reason: TurnReason, *, error_code: str = "", error_message: str = ""
) -> None:
    """End a turn of a locked conversation. Whatever it still asked is cancelled."""
    now = timezone.now()
    pending = Request.objects.filter(turn=turn, state=RequestState.PENDING)
    events: list[Event] = [Resolved(id=pk, state=RequestState.CANCELLED) for pk in pending.values_list("pk", flat=True)]
    pending.update(state=RequestState.CANCELLED, answered_at=now)
    if error_code:
        events.append(ErrorHappened(code=error_code, message=error_message))
    events.append(TurnFinished(reason=reason, message=_answer(turn)))
    append(conversation, events, turn_id=turn.pk)
    turn.state, turn.reason, turn.finished_at = TurnState.FINISHED, reason, now
    turn.error_code, turn.error_message = error_code, error_message
    turn.runner, turn.lease_until = "", None
    turn.save(update_fields=["state", "reason", "finished_at", "error_code", "error_message", "runner", "lease_until"])


def _answer(turn: Turn) -> int | None:
    last = Message.objects.filter(turn=turn).order_by("-pk").values_list("pk", "role").first()
    return last[0] if last is not None and last[1] == Role.ASSISTANT else None

"""Stored conversations for tests: what a person said, and what became of it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.test import Client
from django.utils import timezone

from agent_tools.models import AgentToolLog
from chat.models import Conversation, Message, Role, Step, Turn, TurnKind, TurnReason, TurnState


def say(conversation: Conversation, text: str, after: Message | None = None, **fields: Any) -> Message:
    """Store a message of the person and put the view on it."""
    message = Message.objects.create(
        conversation=conversation, role=Role.USER, content=text, parent=after, client_id=uuid.uuid4().hex, **fields
    )
    _view(conversation, message)
    return message


def answer(message: Message, *texts: str, calls: Sequence[Mapping[str, Any]] = (), **fields: Any) -> Message:
    """Store a finished turn that said these texts, one a step; the first step made the calls. Returns its end."""
    conversation = message.conversation
    turn = finished_turn(message, **fields)
    last = message
    for step, text in enumerate(texts, start=1):
        last = Message.objects.create(
            conversation=conversation,
            turn=turn,
            step=step,
            parent=last,
            role=Role.ASSISTANT,
            content=text,
            calls=list(calls) if step == 1 else [],
        )
        Step.objects.create(turn=turn, number=step, input_tokens=10, output_tokens=5)
    _view(conversation, last)
    return last


def finished_turn(message: Message, **fields: Any) -> Turn:
    """Store a turn that is over."""
    now = timezone.now()
    defaults = {"state": TurnState.FINISHED, "reason": TurnReason.COMPLETED, "started_at": now, "finished_at": now}
    return Turn.objects.create(
        conversation=message.conversation,
        user_message=message,
        model=message.conversation.model,
        **{**defaults, **fields},
    )


def waiting(conversation: Conversation, text: str) -> Turn:
    """Store a message that waits for its turn."""
    message = Message.objects.create(conversation=conversation, role=Role.USER, content=text)
    return Turn.objects.create(conversation=conversation, user_message=message, kind=TurnKind.SEND)


def call(conversation: Conversation, name: str, arguments: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """Store the row of a call and return the call as a message holds it."""
    row = AgentToolLog.objects.create(
        session_id=conversation.pk,
        tool_slug=name,
        door="chat",
        input=dict(arguments),
        **{"status": "success", "duration_ms": 1_500, **fields},
    )
    return {"id": str(row.call_id), "provider_id": "", "name": name, "arguments": "{}"}


def text_of(response: Any) -> str:
    """Return the page as text."""
    return str(response.content.decode())


def submit(client: Client, url: str, **fields: Any) -> Any:
    """Send a form as a browser does, with the token of the site's cookie."""
    client.get("/login/")
    token = client.cookies["csrftoken"].value
    return client.post(url, {**fields, "csrfmiddlewaretoken": token})


def _view(conversation: Conversation, leaf: Message) -> None:
    conversation.leaf = leaf
    conversation.save(update_fields=["leaf"])

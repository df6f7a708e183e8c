"""Whose a conversation is: every frame of a person goes through here."""

from __future__ import annotations

import uuid

from chat.models import Conversation
from chat.services.errors import MissingError


def owned(user_id: int, conversation_id: uuid.UUID) -> Conversation:
    """Return the conversation locked until the transaction ends; raises `MissingError` unless it is this person's,
    and the person still active.
    """
    mine = Conversation.objects.select_for_update(of=("self",)).filter(user=user_id, user__is_active=True)
    conversation = mine.filter(pk=conversation_id).first()
    if conversation is None:
        raise MissingError("There is no such conversation of yours.", reason="unknown_conversation")
    return conversation


def owns(user_id: int, conversation_id: uuid.UUID) -> bool:
    """Tell whether the conversation is this person's, and the person still active."""
    return Conversation.objects.filter(pk=conversation_id, user=user_id, user__is_active=True).exists()

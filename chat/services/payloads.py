"""Rows as they go into events."""

from __future__ import annotations

from typing import Any

from chat.models import Message


def message_payload(message: Message) -> dict[str, Any]:
    """Return a person's message, JSON-ready; `parent` is none at the root, and while the message waits for its turn."""
    return {
        "id": message.pk,
        "role": message.role,
        "content": message.content,
        "parent": message.parent_id,
        "client_id": message.client_id,
        "created_at": message.created_at.isoformat(),
    }

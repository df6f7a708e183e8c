"""Turns the rows of a branch into the messages of a request."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from chat.llm.types import HistoryCall, Message, Role
from chat.models import Message as Row

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL}


def branch(conversation_id: uuid.UUID, head: int) -> list[Row]:
    """Return the messages from the root to `head`."""
    parents = dict(Row.objects.filter(conversation=conversation_id).values_list("pk", "parent_id"))
    path: list[int] = []
    at: int | None = head
    while at is not None and at in parents:
        path.append(at)
        at = parents.pop(at)
    rows = Row.objects.in_bulk(path)
    return [rows[pk] for pk in reversed(path) if pk in rows]


def neutral(rows: Iterable[Row]) -> list[Message]:
    """Return rows as messages; a row's notice follows its text."""
    return [_message(row) for row in rows]


def _message(row: Row) -> Message:
    return Message(
        role=_ROLES[row.role],
        content="\n\n".join(part for part in (row.content, row.notice) if part),
        calls=tuple(_call(call) for call in row.calls),
        call_id=str(row.call_id or ""),
        thinking=row.thinking,
        reasoning_field=row.reasoning_field,
        extra=row.extra,
        origin=row.origin,
    )


def _call(stored: dict[str, Any]) -> HistoryCall:
    return HistoryCall(
        id=stored["id"],
        name=stored["name"],
        arguments=stored["arguments"],
        provider_id=stored.get("provider_id"),
        extra=stored.get("extra") or {},
    )

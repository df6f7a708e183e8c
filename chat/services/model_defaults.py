"""Which model is the default: one, an enabled one. Choosing another moves it."""

from __future__ import annotations

import uuid

from django.db import transaction

from chat.models import ChatModel
from chat.services.errors import MissingError, NotNowError


def make_default(model_id: uuid.UUID) -> None:
    """Make this model the default, and no other; raises `MissingError`, or `NotNowError` for a disabled one."""
    with transaction.atomic():
        rows = _locked()
        if model_id not in rows:
            raise MissingError("There is no such model any more.", reason="unknown_model")
        if not rows[model_id].enabled:
            raise NotNowError("A disabled model cannot be the default: enable it first.", reason="model_disabled")
        _move(rows, model_id)


def settle_default() -> ChatModel | None:
    """Take the default from a disabled model; where there is none, give it to the first enabled one and return that."""
    with transaction.atomic():
        rows = _locked()
        if any(row.is_default and row.enabled for row in rows.values()):
            return None
        first = next((row for row in rows.values() if row.enabled), None)
        _move(rows, first.pk if first else None)
        return first


def _locked() -> dict[uuid.UUID, ChatModel]:
    # All of them, in one order, so that two operators who choose at once wait for each other.
    ids = list(ChatModel.objects.select_for_update().order_by("pk").values_list("pk", flat=True))
    return {row.pk: row for row in ChatModel.objects.filter(pk__in=ids)}


def _move(rows: dict[uuid.UUID, ChatModel], to: uuid.UUID | None) -> None:
    others = [row.pk for row in rows.values() if row.is_default and row.pk != to]
    ChatModel.objects.filter(pk__in=others).update(is_default=False)
    if to is not None:
        ChatModel.objects.filter(pk=to).update(is_default=True)

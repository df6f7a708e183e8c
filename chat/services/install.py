"""Puts the models of a fresh installation in place, and keeps the environment's one as the environment says."""

from __future__ import annotations

import os

from django.db import transaction

from chat.conf import conf
from chat.models import Backend, ChatModel
from chat.services.models import OPENAI_URL

KEY_VARIABLE = "OPENAI_API_KEY"
OFFLINE_LABEL = "Built in (offline)"
LONGEST_LABEL = 100


def install_models() -> list[ChatModel]:
    """Make sure of the built-in model, and make or refresh the one that the environment names; return the new rows.

    An operator's own choice of a default stays. Otherwise the environment's model is the default, and without one the
    built-in model is.
    """
    with transaction.atomic():
        before = set(ChatModel.objects.values_list("pk", flat=True))
        offline = ChatModel.objects.filter(backend=Backend.OFFLINE).first() or ChatModel.objects.create(
            backend=Backend.OFFLINE, label=_free_label(OFFLINE_LABEL), sort_order=1_000
        )
        named = _from_environment()
        _settle_default(named, offline)
        return list(ChatModel.objects.exclude(pk__in=before))


def _from_environment() -> ChatModel | None:
    """Return the row of the model that the environment names; a row whose variables are gone is switched off."""
    has_key = bool(os.environ.get(KEY_VARIABLE, "").strip())
    row = ChatModel.objects.filter(from_environment=True).first()
    if not has_key and not conf.openai_base_url:
        ChatModel.objects.filter(from_environment=True).update(enabled=False, is_default=False)
        return None
    row = row or ChatModel(from_environment=True, label=_free_label(conf.openai_model), sort_order=10)
    row.backend, row.enabled = Backend.OPENAI, True
    row.base_url = conf.openai_base_url or OPENAI_URL
    row.model_id = conf.openai_model
    row.key_variable = KEY_VARIABLE if has_key else ""
    row.save()
    return row


def _settle_default(named: ChatModel | None, offline: ChatModel) -> None:
    current = ChatModel.objects.filter(is_default=True, enabled=True).first()
    if current is not None and not (named and current.pk == offline.pk):
        return
    ChatModel.objects.filter(is_default=True).update(is_default=False)
    ChatModel.objects.filter(pk=(named or offline).pk).update(is_default=True)


def _free_label(wanted: str) -> str:
    label, number = wanted[:LONGEST_LABEL], 1
    while ChatModel.objects.filter(label=label).exists():
        number += 1
        label = f"{wanted[: LONGEST_LABEL - 5]} {number}"
    return label

"""How many tokens a person may use a day."""

from __future__ import annotations

from django.db.models import F, Sum
from django.utils import timezone

from chat.conf import conf
from chat.models import Step
from chat.services.errors import LimitError


def tokens_today(user_id: int) -> int:
    """Return the tokens of a person's responses since midnight, estimated ones included."""
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    steps = Step.objects.filter(turn__conversation__user=user_id, started_at__gte=midnight)
    return steps.aggregate(tokens=Sum(F("input_tokens") + F("output_tokens")))["tokens"] or 0


def check_daily_tokens(user_id: int) -> None:
    """Raise `LimitError` when the person has used up the day's tokens."""
    limit = conf.daily_tokens
    if limit and tokens_today(user_id) >= limit:
        raise LimitError(f"The daily limit of {limit:,} tokens is used up. It begins anew at midnight.")

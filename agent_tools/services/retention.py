"""Deletes old rows, in short transactions that walk along the primary key."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from agent_tools.models import AgentToolLog
from agent_tools.models.log import LogStatus
from agent_tools.workspace.models import KeptOutput


def prune_logs(*, days: int, keep_errors: bool = False, batch: int = 5_000) -> int:
    """Delete the log rows older than `days` and return how many; a call that still runs is never deleted.

    With `keep_errors` only rows of successful calls go.
    """
    rows = AgentToolLog.objects.exclude(status=LogStatus.RUNNING)
    if keep_errors:
        rows = rows.filter(status=LogStatus.SUCCESS)
    return _prune(rows, days=days, batch=batch)


def prune_outputs(*, days: int, batch: int = 5_000) -> int:
    """Delete the kept outputs older than `days` and return how many."""
    return _prune(KeptOutput.objects.all(), days=days, batch=batch)


def _prune(rows: QuerySet[Any], *, days: int, batch: int) -> int:
    if days < 0 or batch < 1:
        raise ValueError("The days must be 0 or more, the batch 1 or more.")
    old = rows.filter(created_at__lt=timezone.now() - timedelta(days=days)).order_by("pk")
    deleted, last = 0, 0
    while keys := list(old.filter(pk__gt=last).values_list("pk", flat=True)[:batch]):
        last = keys[-1]
        count, _by_model = old.order_by().filter(pk__gte=keys[0], pk__lte=last).delete()
        deleted += count
    return deleted

"""How tools fare: numbers counted by the database, never row by row."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone

from agent_tools.models import AgentToolLog
from agent_tools.models.log import LogStatus

FAILED = (LogStatus.ERROR, LogStatus.TIMEOUT, LogStatus.INTERRUPTED)
"""What counts as an error; a refused or stopped call is none."""

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class CallStats:
    """Calls of one tool in a span of time, and how many of them failed."""

    calls: int = 0
    failed: int = 0

    @property
    def error_rate(self) -> float:
        """From 0 to 1; 0 without calls."""
        return self.failed / self.calls if self.calls else 0.0


def calls_of_last_day(tool_ids: Iterable[uuid.UUID]) -> Mapping[uuid.UUID, CallStats]:
    """Return the numbers of the last 24 hours by tool in one query; tools without calls are absent."""
    rows = (
        AgentToolLog.objects.filter(tool_id__in=list(tool_ids), created_at__gte=timezone.now() - DAY)
        .order_by()
        .values_list("tool_id")
        .annotate(calls=Count("id"), failed=Count("id", filter=Q(status__in=FAILED)))
    )
    return {tool_id: CallStats(calls, failed) for tool_id, calls, failed in rows if tool_id is not None}

"""Calls by the hour, in the database's own SQL: Django's date functions are slow Python callbacks on SQLite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from agent_tools.models import AgentToolLog
from agent_tools.selectors.stats import FAILED

BOUNDS = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000)
"""Edges of the latency histogram in milliseconds; the last slot is open."""

HOURS = {
    "sqlite": "strftime('%%Y-%%m-%%dT%%H:00:00', created_at)",
    "postgresql": """to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:00:00')""",
}


@dataclass(slots=True)
class Stretch:
    """What happened in one hour or day from `start` on. Percentiles come from a histogram: they are estimates."""

    start: datetime
    calls: int = 0
    failed: int = 0
    longest: int = 0
    slots: dict[int, int] = field(default_factory=dict)

    @property
    def median(self) -> float | None:
        """Estimated median duration in ms of the calls that have ended."""
        return self.percentile(0.5)

    @property
    def slow(self) -> float | None:
        """Estimated duration in ms that 95 % of the calls stay below."""
        return self.percentile(0.95)

    def percentile(self, share: float) -> float | None:
        """Return the estimated duration in ms below which this share (0 to 1) of the ended calls lies."""
        total = sum(self.slots.values())
        wanted = share * total
        passed = 0
        for slot in sorted(self.slots):
            inside = self.slots[slot]
            if passed + inside >= wanted:
                low = BOUNDS[slot - 1] if slot else 0
                high = min(BOUNDS[slot] if slot < len(BOUNDS) else self.longest, max(self.longest, low))
                return low + (high - low) * (wanted - passed) / inside
            passed += inside
        return None

    def add(self, other: Stretch) -> None:
        """Take in another stretch's numbers."""
        self.calls += other.calls
        self.failed += other.failed
        self.longest = max(self.longest, other.longest)
        for slot, count in other.slots.items():
            self.slots[slot] = self.slots.get(slot, 0) + count


def by_hour(start: datetime, slug: str | None = None) -> list[Stretch]:
    """Return every hour (UTC) from the one of `start` to the present one, empty ones too; of one tool, or of all."""
    first = start.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    now = timezone.now()
    found: dict[datetime, Stretch] = {}
    while first <= now:
        found[first] = Stretch(first)
        first += timedelta(hours=1)
    for part in _parts(min(found), slug):
        if part.start in found:
            found[part.start].add(part)
    return list(found.values())


def by_day(hours: Iterable[Stretch]) -> list[Stretch]:
    """Add hours up to days of the site's time zone."""
    found: dict[datetime, Stretch] = {}
    for hour in hours:
        day = timezone.localtime(hour.start).replace(hour=0, minute=0)
        found.setdefault(day, Stretch(day)).add(hour)
    return list(found.values())


def _parts(start: datetime, slug: str | None) -> Iterator[Stretch]:
    """Yield partial hours, one row for each hour, success and latency slot."""
    moment: Any = connection.ops.adapt_datetimefield_value(start)
    where, values = "created_at >= %s", [moment]
    if slug is not None:
        where, values = f"{where} AND tool_slug = %s", [moment, slug]
    marks = ", ".join(["%s"] * len(FAILED))
    # Only names from this module are written into the statement; every value is a parameter.
    statement = f"""
        SELECT {HOURS[connection.vendor]} AS hour,
               CASE WHEN status IN ({marks}) THEN 1 ELSE 0 END AS failed,
               {_slot()} AS slot, COUNT(*), MAX(duration_ms)
        FROM {AgentToolLog._meta.db_table} WHERE {where} GROUP BY 1, 2, 3
    """  # noqa: S608, SLF001
    with connection.cursor() as cursor:
        cursor.execute(statement, [*map(str, FAILED), *values])
        for hour, failed, slot, calls, longest in cursor.fetchall():
            moment_utc = datetime.fromisoformat(hour).replace(tzinfo=UTC)
            slots = {} if slot is None else {slot: calls}
            yield Stretch(moment_utc, calls, calls * failed, longest or 0, slots)


def _slot() -> str:
    cases = " ".join(f"WHEN duration_ms < {bound} THEN {slot}" for slot, bound in enumerate(BOUNDS))
    return f"CASE WHEN duration_ms IS NULL THEN NULL {cases} ELSE {len(BOUNDS)} END"

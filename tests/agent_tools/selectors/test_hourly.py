from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from agent_tools.models import AgentToolLog
from agent_tools.selectors.hourly import Stretch, by_day, by_hour
from tests.fakes.log_rows import log

pytestmark = pytest.mark.django_db


def at(moment: datetime, **fields: Any) -> None:
    row = log(**fields)
    AgentToolLog.objects.filter(pk=row.pk).update(created_at=moment)


def test_every_hour_is_there_and_calls_fall_into_theirs() -> None:
    now = timezone.now()
    hour = now.replace(minute=0, second=0, microsecond=0) - timedelta(hours=2)
    at(hour, status="error", duration_ms=30)
    at(hour + timedelta(minutes=59, seconds=59, microseconds=999_999), duration_ms=3_000)
    at(hour - timedelta(microseconds=1), duration_ms=5)
    stretches = by_hour(now - timedelta(hours=4))[:5]
    assert [(each.calls, each.failed, each.longest) for each in stretches] == [
        (0, 0, 0),
        (1, 0, 5),
        (2, 1, 3_000),
        (0, 0, 0),
        (0, 0, 0),
    ]
    assert stretches[2].start == hour


def test_one_tool_can_be_asked_for() -> None:
    log(tool_slug="one")
    log(tool_slug="two'; --")
    start = timezone.now() - timedelta(hours=1)
    assert sum(each.calls for each in by_hour(start, "two'; --")) == 1
    assert sum(each.calls for each in by_hour(start)) == 2


def test_days_are_those_of_the_site(settings: object) -> None:
    with timezone.override("Asia/Shanghai"):
        hours = [Stretch(datetime(2026, 3, 5, hour, tzinfo=UTC), calls=1) for hour in range(14, 18)]
        days = by_day(hours)
    assert [each.calls for each in days] == [2, 2]
    assert [each.start.isoformat() for each in days] == ["2026-03-05T00:00:00+08:00", "2026-03-06T00:00:00+08:00"]


def test_percentiles_are_near_the_truth() -> None:
    for duration in range(0, 1_000, 10):
        log(duration_ms=duration)
    [*_before, now] = by_hour(timezone.now())
    assert now.median == pytest.approx(500, rel=0.1)
    assert now.slow == pytest.approx(950, rel=0.1)
    assert now.longest == 990


def test_without_an_ended_call_there_is_no_percentile() -> None:
    log(duration_ms=None, status="running")
    [*_before, now] = by_hour(timezone.now())
    assert (now.calls, now.median, now.slow) == (1, None, None)


def test_a_single_call_is_its_own_percentile_at_most() -> None:
    log(duration_ms=700_000)
    [*_before, now] = by_hour(timezone.now())
    assert now.slow is not None
    assert 500_000 <= now.slow <= 700_000

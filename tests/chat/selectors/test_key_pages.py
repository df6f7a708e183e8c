from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chat.models import Conversation, Event
from chat.selectors.key_pages import COUNT_LIMIT, END, KeyPage, bounded_count, key_page

pytestmark = pytest.mark.django_db
NEWEST = ("-updated_at", "-pk")
OLDEST = ("created_at", "pk")
NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)


def store(person: User, minutes: list[int]) -> None:
    Conversation.objects.all().delete()
    for minute in minutes:
        row = Conversation.objects.create(user=person)
        moment = NOON + timedelta(minutes=minute, microseconds=minute)
        Conversation.objects.filter(pk=row.pk).update(updated_at=moment, created_at=moment)


def rows() -> QuerySet[Conversation]:
    return Conversation.objects.all()


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(minutes=st.lists(st.integers(0, 4), max_size=9), size=st.integers(1, 4), keys=st.sampled_from([NEWEST, OLDEST]))
def test_pages_lead_through_all_rows_and_back_though_times_are_equal(
    person: User, minutes: list[int], size: int, keys: tuple[str, str]
) -> None:
    store(person, minutes)
    expected = list(rows().order_by(*keys))
    pages: list[KeyPage[Conversation]] = [key_page(rows(), keys, size=size)]
    assert pages[0].previous is None
    while pages[-1].following is not None:
        pages.append(key_page(rows(), keys, size=size, after=pages[-1].following))
    assert [row for page in pages for row in page.rows] == expected
    assert all(len(page.rows) == size for page in pages[:-1])
    for before, page in pairwise(pages):
        assert page.previous is not None
        assert key_page(rows(), keys, size=size, before=page.previous).rows == before.rows
    last = key_page(rows(), keys, size=size, before=END)
    assert last.rows == expected[-size:]
    assert (last.following, last.previous is None) == (None, len(expected) <= size)


@pytest.mark.parametrize("position", ["x", "~", "2026-03-05~x", "~~", "2026-13-99T00:00Z~x", "<script>", "end"])
def test_a_position_that_cannot_be_read_is_none(person: User, position: str) -> None:
    store(person, [1, 2, 3])
    first = key_page(rows(), NEWEST, size=2)
    assert key_page(rows(), NEWEST, size=2, after=position).rows == first.rows
    if position != END:
        assert key_page(rows(), NEWEST, size=2, before=position).rows == first.rows


def test_a_position_whose_row_is_gone_still_leads_on(person: User) -> None:
    store(person, [1, 2, 3, 4])
    first = key_page(rows(), NEWEST, size=2)
    first.rows[-1].delete()
    assert first.following is not None
    second = key_page(rows(), NEWEST, size=2, after=first.following)
    assert len(second.rows) == 2
    rows().filter(pk__in=[row.pk for row in second.rows]).delete()
    empty = key_page(rows(), NEWEST, size=2, after=first.following)
    assert (empty.rows, empty.previous, empty.following) == ([], END, None)


def test_one_column_is_enough_where_it_tells_rows_apart(person: User) -> None:
    conversation = Conversation.objects.create(user=person)
    Event.objects.bulk_create(Event(conversation=conversation, seq=seq, type="t") for seq in range(1, 8))
    page = key_page(conversation.events.all(), ["seq"], size=3, after="3")
    assert ([event.seq for event in page.rows], page.previous, page.following) == ([4, 5, 6], "4", "6")


def test_pages_are_read_along_an_index(person: User) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("reads SQLite's query plans; a planner with statistics takes other ways on few rows")
    store(person, [1, 2, 3])
    after = key_page(rows(), NEWEST, size=1).following or ""
    with CaptureQueriesContext(connection) as queries:
        key_page(rows(), NEWEST, size=1, after=after)
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {queries[0]['sql']}")
        plan = " ".join(str(line) for line in cursor.fetchall())
    assert "USING INDEX chat_conver_updated" in plan
    assert "TEMP B-TREE" not in plan


def test_counting_ends_at_its_bound(person: User) -> None:
    store(person, [1, 2])
    counted = bounded_count(rows())
    assert (counted.count, counted.more) == (2, False)
    Conversation.objects.bulk_create(Conversation(user=person) for _ in range(COUNT_LIMIT))
    counted = bounded_count(rows())
    assert (counted.count, counted.more) == (COUNT_LIMIT, True)

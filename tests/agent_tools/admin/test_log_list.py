from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from agent_tools.models import AgentTool, AgentToolLog
from agent_tools.selectors import logs
from tests.fakes.log_rows import log
from tests.fakes.staff import staff_client

LIST = "/admin/agent_tools/agenttoollog/"
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def ids(client: Client, query: str = "") -> list[int]:
    response = client.get(LIST + query)
    assert response.status_code == 200
    return [row.pk for row in response.context["cl"].result_list]


def page(client: Client, query: str = "") -> Any:
    return client.get(LIST + query).context["cl"]


@pytest.fixture
def many(db: None) -> list[int]:
    """The ids of 120 calls, newest first."""
    rows = [AgentToolLog(session_id=uuid.uuid4(), tool_slug="t", door="chat", status="success") for _ in range(120)]
    AgentToolLog.objects.bulk_create(rows)
    return list(AgentToolLog.objects.order_by("-id").values_list("id", flat=True))


def test_the_newest_calls_of_seven_days_come_first(operator_client: Client, db: None) -> None:
    rows = [log(age=age) for age in (8 * DAY, 6 * DAY, 2 * HOUR, timedelta())]
    assert ids(operator_client) == [row.pk for row in rows[:0:-1]]


def test_times_out_of_the_order_of_ids_are_filtered_exactly(operator_client: Client, db: None) -> None:
    rows = [log(age=age) for age in (timedelta(), 9 * DAY, HOUR * 2, 40 * DAY, 2 * DAY)]
    assert ids(operator_client) == [rows[4].pk, rows[2].pk, rows[0].pk]
    assert ids(operator_client, "?time=hour") == [rows[0].pk]
    assert ids(operator_client, "?time=day") == [rows[2].pk, rows[0].pk]
    assert ids(operator_client, "?time=month") == [rows[4].pk, rows[2].pk, rows[1].pk, rows[0].pk]
    assert len(ids(operator_client, "?time=all")) == 5


def test_an_explicit_span_includes_its_ends(operator_client: Client, db: None) -> None:
    row = log()
    for moment, expected in (("2026-03-05T14:30:59", 1), ("2026-03-05T14:31:00", 0), ("2026-03-05T00:00:00", 1)):
        AgentToolLog.objects.update(created_at=f"{moment}+00:00")
        assert len(ids(operator_client, "?from=2026-03-05&to=2026-03-05T14:30")) == expected
    AgentToolLog.objects.update(created_at="2026-03-05T23:59:59.5+00:00")
    assert ids(operator_client, "?from=2026-03-05&to=2026-03-05") == [row.pk]
    assert ids(operator_client, "?to=2026-03-04") == []
    assert ids(operator_client, "?from=2026-03-06") == []


def test_a_time_that_cannot_be_read_is_said_so(operator_client: Client, db: None) -> None:
    text = operator_client.get(LIST + "?from=<b>yesterday").content.decode()
    assert "“&lt;b&gt;yesterday” is no time" in text


@pytest.mark.parametrize("name", ["from", "to"])
@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00%2B14:00"])
def test_a_time_beyond_all_years_is_no_time(operator_client: Client, db: None, name: str, moment: str) -> None:
    assert "is no time" in operator_client.get(f"{LIST}?{name}={moment}").content.decode()


@pytest.mark.parametrize("number", ["9" * 19, "9" * 30, "9" * 5_000, "²", "٣"])
def test_a_user_with_an_impossible_number_has_no_calls(operator_client: Client, db: None, number: str) -> None:
    log()
    assert ids(operator_client, f"?user={number}") == []


def test_filters_narrow_the_list(operator_client: Client, operator: User, shop: AgentTool) -> None:
    mine = log(shop, user=operator, status="error", door="api")
    other = log(status="success", door="admin")
    for query, expected in (
        ("?tool=shop", [mine]),
        ("?tool=no_such_tool", [other]),
        ("?tool=unknown+tool", [other]),
        ("?status=error", [mine]),
        ("?door=admin", [other]),
        ("?user=operator", [mine]),
        (f"?user={operator.pk}", [mine]),
        ("?user=-", [other]),
        ("?user=nobody", []),
        ("?status=error&door=api&user=operator&tool=shop", [mine]),
        ("?status=error&door=admin", []),
    ):
        assert ids(operator_client, query) == [row.pk for row in expected], query


def test_the_tool_filter_knows_the_tools_and_a_gone_one(operator_client: Client, shop: AgentTool) -> None:
    text = operator_client.get(LIST + "?tool=gone").content.decode()
    for name in ("?tool=shop", "?tool=gone", "?tool=unknown+tool"):
        assert name in text


def test_an_id_finds_its_call_or_session_in_all_time(operator_client: Client, db: None) -> None:
    session = uuid.uuid4()
    rows = [log(session_id=session, age=90 * DAY), log(session_id=session), log()]
    assert ids(operator_client, f"?q={rows[2].call_id}") == [rows[2].pk]
    assert ids(operator_client, f"?q=+{str(session).upper()}+") == [rows[1].pk, rows[0].pk]
    assert ids(operator_client, f"?q={session}&time=week") == [rows[1].pk]
    assert ids(operator_client, f"?q={uuid.uuid4()}") == []


@pytest.mark.parametrize("text", ["example.org/a", "EXAMPLE.org", 'quo"te', "50%", "a_b", "back\\slash", "中文", "é"])
def test_text_is_looked_for_in_the_inputs_inside_the_window(operator_client: Client, db: None, text: str) -> None:
    value = 'https://example.org/a quo"te 50% a_b back\\slash 中文 é'
    found, old, other = log(input={"url": value}), log(input={"url": value}, age=8 * DAY), log(input={"url": "axb 501"})
    response = operator_client.get(LIST, {"q": text})
    assert [row.pk for row in response.context["cl"].result_list] == [found.pk]
    both = operator_client.get(LIST, {"q": text, "time": "all"}).context["cl"].result_list
    assert [row.pk for row in both] == [old.pk, found.pk]
    assert other.pk not in {row.pk for row in both}


def test_pages_are_walked_by_key_both_ways(operator_client: Client, many: list[int]) -> None:
    first = page(operator_client)
    assert [row.pk for row in first.result_list] == many[:50]
    assert first.newer_query is None
    second = page(operator_client, first.older_query)
    assert [row.pk for row in second.result_list] == many[50:100]
    third = page(operator_client, second.older_query)
    assert [row.pk for row in third.result_list] == many[100:]
    assert third.older_query is None
    back = page(operator_client, third.newer_query)
    assert [row.pk for row in back.result_list] == many[50:100]
    assert [row.pk for row in page(operator_client, back.newer_query).result_list] == many[:50]


def test_new_calls_do_not_shift_a_page(operator_client: Client, many: list[int]) -> None:
    older = page(operator_client).older_query
    log()
    assert ids(operator_client, older) == many[50:100]


def test_links_keep_the_filters_and_filters_drop_the_position(operator_client: Client, many: list[int]) -> None:
    listed = page(operator_client, f"?door=chat&before={many[49]}")
    assert listed.older_query == f"?before={many[99]}&door=chat"
    assert "before" not in listed.filter_query
    text = operator_client.get(f"{LIST}?before={many[49]}").content.decode()
    assert 'href="?status=error"' in text


@pytest.mark.parametrize("query", ["?before=x", "?after=-1", "?before=" + "9" * 30, "?p=3", "?o=2", "?all="])
def test_odd_positions_are_harmless(operator_client: Client, many: list[int], query: str) -> None:
    assert ids(operator_client, query) == many[:50]


def test_the_count_is_bounded(operator_client: Client, many: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "120 calls" in operator_client.get(LIST).content.decode()
    monkeypatch.setattr(logs, "COUNT_LIMIT", 100)
    assert "more than 100 calls" in operator_client.get(LIST).content.decode()


def test_what_no_index_leads_to_is_looked_for_a_stretch_at_a_time(
    operator_client: Client, many: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    AgentToolLog.objects.filter(pk__in=[many[5], many[90]]).update(door="api")
    monkeypatch.setattr(logs, "SCAN_ROWS", 40)
    first = page(operator_client, "?door=api")
    assert [row.pk for row in first.result_list] == [many[5]]
    assert (first.counted, first.page.looked_to) == (None, many[39])
    second = page(operator_client, first.older_query)
    assert [row.pk for row in second.result_list] == []
    third = page(operator_client, second.older_query)
    assert [row.pk for row in third.result_list] == [many[90]]
    assert third.older_query is None
    back = third
    for _ in range(3):
        back = page(operator_client, back.newer_query)
    assert [row.pk for row in back.result_list] == [many[5]]


@pytest.mark.parametrize("query", ["", "?status=success", "?q=x", "?time=all", "?door=chat", "?from=2020-01-01"])
def test_the_list_counts_nothing_whole_and_skips_nothing(operator_client: Client, many: list[int], query: str) -> None:
    operator_client.get(LIST)
    with CaptureQueriesContext(connection) as captured:
        operator_client.get(LIST + query)
    statements = [each["sql"].upper() for each in captured.captured_queries]
    assert not [sql for sql in statements if "COUNT(*)" in sql or "OFFSET" in sql or "DISTINCT" in sql]
    # Session, user, slugs, two ends of the span, the page, the bounded count.
    assert len(statements) == 7
    listed = next(sql for sql in statements if "LIMIT 51" in sql)
    columns = listed.partition(" FROM ")[0]
    assert not [name for name in ('"INPUT"', '"OUTPUT"', '"CONTENT"', '"METADATA"') if name in columns]


def test_nothing_can_be_added_or_changed_not_even_by_posting(operator_client: Client, db: None) -> None:
    row = log(input={"a": 1})
    change = f"{LIST}{row.pk}/change/"
    assert operator_client.get(LIST + "add/").status_code == 403
    assert operator_client.post(LIST + "add/", {"tool_slug": "x"}).status_code == 403
    assert operator_client.post(change, {"tool_slug": "x", "status": "error"}).status_code == 403
    operator_client.post(LIST, {"form-0-id": row.pk, "form-0-status": "error", "_save": "Save"})
    row.refresh_from_db()
    assert (row.tool_slug, row.status) == ("no_such_tool", "success")
    assert "_save" not in operator_client.get(change).content.decode()


def test_rows_are_deleted_by_those_who_may(operator_client: Client, db: None) -> None:
    row = log()
    viewer = staff_client("view_agenttoollog", "change_agenttoollog", "add_agenttoollog")
    for url in (f"{LIST}{row.pk}/delete/", LIST):
        chosen = {"post": "yes", "action": "delete_selected", "_selected_action": row.pk}
        viewer.post(url, chosen)
    assert AgentToolLog.objects.exists()
    assert viewer.post(f"{LIST}{row.pk}/change/", {"status": "error"}).status_code == 403
    assert operator_client.post(f"{LIST}{row.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not AgentToolLog.objects.exists()


def test_calls_are_for_those_who_may_see_them(db: None) -> None:
    row = log()
    pages = ("", f"{row.pk}/change/", "chart/", "export/csv/", "export/jsonl/")
    stranger, viewer = staff_client("view_agenttool"), staff_client("view_agenttoollog")
    assert [stranger.get(LIST + name).status_code for name in pages] == [403] * len(pages)
    assert [viewer.get(LIST + name).status_code for name in pages] == [200] * len(pages)


def test_an_empty_log_is_shown_as_such(operator_client: Client, db: None) -> None:
    assert "0 calls" in operator_client.get(LIST).content.decode()

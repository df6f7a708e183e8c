"""Logged calls are read through the API, page by page, and never edited."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from agent_tools.models import AgentToolLog

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
SESSION = uuid.UUID("5e551000-0000-4000-8000-000000000001")
TOOL = uuid.UUID("70010000-0000-4000-8000-000000000002")
BIG = {"input", "output", "content", "metadata"}


def row(minutes: int = 0, **fields: Any) -> AgentToolLog:
    known = {"session_id": uuid.uuid4(), "tool_slug": "greeter", "door": "api", "status": "success"}
    made = AgentToolLog.objects.create(**{**known, **fields})
    AgentToolLog.objects.filter(pk=made.pk).update(created_at=NOON + timedelta(minutes=minutes))
    return made


@pytest.fixture
def rows(operator: User) -> list[AgentToolLog]:
    """Five calls, each with something of its own."""
    return [
        row(0, tool_id=TOOL, input={"a": 1}, output={"b": 2}, content="text", metadata={"status_code": 200}),
        row(1, status="error", reason="nobody_there", error_message="Nobody."),
        row(2, door="chat", session_id=SESSION),
        row(3, tool_slug="other", user=operator),
        row(4, tool_id=TOOL, status="timeout"),
    ]


def found(api: APIClient, query: str, rows: list[AgentToolLog]) -> list[int]:
    answer = api.get(f"/api/tool-logs?{query}")
    assert answer.status_code == 200, answer.content
    numbers = [made.pk for made in rows]
    return [numbers.index(item["id"]) for item in answer.json()["results"]]


def test_the_newest_come_first_without_the_big_fields(api: APIClient, rows: list[AgentToolLog]) -> None:
    body = api.get("/api/tool-logs").json()
    assert set(body) == {"next", "previous", "results"}
    assert [item["id"] for item in body["results"]] == [made.pk for made in reversed(rows)]
    assert not BIG & set(body["results"][0])
    assert body["results"][1]["username"] == "operator"
    assert body["results"][0]["username"] is None


def test_whole_rows_come_when_asked_for(api: APIClient, rows: list[AgentToolLog]) -> None:
    last = api.get("/api/tool-logs?full=1").json()["results"][-1]
    assert set(last) >= BIG
    assert last["output"] == {"b": 2}
    assert set(api.get("/api/tool-logs?full=false").json()["results"][-1]) & BIG == set()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (f"tool={TOOL}", [4, 0]),
        (f"tool={str(TOOL).upper()}", [4, 0]),
        ("tool=other", [3]),
        ("tool=nothing", []),
        ("status=error", [1]),
        ("status=error&tool=other", []),
        ("user=operator", [3]),
        ("user=nobody", []),
        ("user=99999999999999999999", []),
        (f"session={SESSION}", [2]),
        ("door=chat", [2]),
        ("from=2026-11-30T12:03:00Z", [4, 3]),
        ("from=2026-11-30T20:03:00+08:00", [4, 3]),
        ("from=2026-11-30T20:03:00%2B08:00", [4, 3]),
        ("from=2026-11-30T12:03:00", [4, 3]),
        ("to=2026-11-30T12:01:00Z", [0]),
        ("from=2026-11-30T12:01:00Z&to=2026-11-30T12:03:00Z", [2, 1]),
        ("from=2026-12-01", []),
        ("to=2026-11-30", []),
        ("status=", [4, 3, 2, 1, 0]),
    ],
)
def test_filters_narrow_the_list(api: APIClient, rows: list[AgentToolLog], query: str, expected: list[int]) -> None:
    assert found(api, query, rows) == expected


def test_a_user_is_found_by_number_too(api: APIClient, operator: User, rows: list[AgentToolLog]) -> None:
    assert found(api, f"user={operator.pk}", rows) == [3]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("status=broken", "status"),
        ("door=window", "door"),
        ("session=5", "session"),
        ("from=yesterday", "from"),
        ("to=2026-13-01", "to"),
        ("from=2026-11-30T25:00:00Z", "from"),
        ("tool=%00", "tool"),
        ("user=%00", "user"),
        ("stauts=error", "stauts"),
        ("ordering=id", "ordering"),
        ("full=maybe", "full"),
        ("page_size=0", "page_size"),
        ("page_size=201", "page_size"),
        ("page_size=-1", "page_size"),
        ("page_size=many", "page_size"),
        ("page_size=99999999999999999999", "page_size"),
        ("page_size=", "page_size"),
        ("cursor=nonsense", "cursor"),
        ("cursor=%C3%A9", "cursor"),
        ("cursor=cD1hYmM%3D", "cursor"),
        ("cursor=cD05OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "cursor"),
        ("cursor=cD01&from=2026-11-30", "cursor"),
        ("cursor=cD0yMDI2LTEzLTAx&from=2026-11-30", "cursor"),
        ("cursor=cD0yMDI2LTExLTMw&from=2026-11-30", "cursor"),
        ("from=9999-12-31T23:59:59-23:59", "from"),
        ("to=0001-01-01T00:00:00%2B14:00", "to"),
    ],
)
def test_a_wrong_value_is_refused_by_name(api: APIClient, rows: list[AgentToolLog], query: str, parameter: str) -> None:
    answer = api.get(f"/api/tool-logs?{query}")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert body["type"] == "urn:agent-tools:problem:invalid_query"
    assert [finding["parameter"] for finding in body["errors"]] == [parameter]


@pytest.mark.parametrize("query", ["", "&from=2026-11-30T12:00:00Z", "&to=2027-01-01", "&status=&from=2020-01-01"])
def test_pages_lead_to_every_row_once_and_back(api: APIClient, rows: list[AgentToolLog], query: str) -> None:
    seen: list[int] = []
    address = f"/api/tool-logs?page_size=2{query}"
    while address:
        page = api.get(address).json()
        seen += [item["id"] for item in page["results"]]
        last, address = address, page["next"]
    assert seen == [made.pk for made in reversed(rows)]
    back = api.get(api.get(last).json()["previous"]).json()["results"]
    assert [item["id"] for item in back] == seen[2:4]


def test_rows_of_one_moment_are_each_shown_once(api: APIClient, rows: list[AgentToolLog]) -> None:
    AgentToolLog.objects.update(created_at=NOON)
    seen: list[int] = []
    address = "/api/tool-logs?page_size=2&from=2020-01-01"
    while address:
        page = api.get(address).json()
        seen += [item["id"] for item in page["results"]]
        address = page["next"]
    assert seen == [made.pk for made in reversed(rows)]


def test_a_page_costs_one_query_and_counts_nothing(api: APIClient, rows: list[AgentToolLog]) -> None:
    api.get("/api/tool-logs")
    for address in ("/api/tool-logs", "/api/tool-logs?full=1", "/api/tool-logs?page_size=1&status=success"):
        with CaptureQueriesContext(connection) as queries:
            api.get(address)
        assert len(queries) == 2  # the token with its user, the rows with theirs
        assert "COUNT(" not in queries[1]["sql"].upper()
    with CaptureQueriesContext(connection) as queries:
        api.get("/api/tool-logs")
    assert '"agent_tools_agenttoollog"."output"' not in queries[1]["sql"]


def test_one_call_is_shown_whole_by_number_and_by_call_id(api: APIClient, rows: list[AgentToolLog]) -> None:
    by_number = api.get(f"/api/tool-logs/{rows[0].pk}").json()
    assert by_number == api.get(f"/api/tool-logs/{rows[0].call_id}").json()
    assert by_number["input"] == {"a": 1}
    assert by_number["content"] == "text"
    assert by_number["metadata"] == {"status_code": 200}
    assert by_number["created_at"] == "2026-11-30T12:00:00Z"


@pytest.mark.parametrize(
    "identifier", ["0", "99999999999999999999", "-1", "nonsense", "00000000-0000-4000-8000-000000000000", "²", "%00"]
)
def test_a_call_that_does_not_exist_is_a_404(api: APIClient, rows: list[AgentToolLog], identifier: str) -> None:
    assert api.get(f"/api/tool-logs/{identifier}").status_code == 404


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_calls_cannot_be_edited(api: APIClient, rows: list[AgentToolLog], method: str) -> None:
    for address in ("/api/tool-logs", f"/api/tool-logs/{rows[0].pk}"):
        answer = getattr(api, method)(address, {})
        assert answer.status_code == 405
        assert answer["Allow"] == "GET, HEAD, OPTIONS"

from __future__ import annotations

import csv
import json
from collections.abc import AsyncIterator, Iterable
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.db import connections
from django.test import AsyncClient, Client
from django.utils import timezone

from agent_tools.models import AgentTool, AgentToolLog
from agent_tools.workspace.models import KeptOutput
from tests.fakes.admin_types import HOSTILE
from tests.fakes.log_rows import log
from tests.fakes.staff import staff_client

LIST = "/admin/agent_tools/agenttoollog/"
ESCAPED = "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;"


def read(response: Any) -> str:
    assert isinstance(response.streaming_content, Iterable)
    return b"".join(response.streaming_content).decode()


def test_a_call_is_shown_whole_and_escaped(operator_client: Client, shop: AgentTool) -> None:
    row = log(
        shop,
        input={"item": HOSTILE},
        output={"text": HOSTILE},
        content=HOSTILE,
        error_message=HOSTILE,
        metadata={"tag": HOSTILE},
        provider_call_id=HOSTILE,
        status="error",
        reason="tool_error",
        duration_ms=61_500,
    )
    text = operator_client.get(f"{LIST}{row.pk}/change/").content.decode()
    assert HOSTILE not in text
    assert text.count(ESCAPED) == 6
    for shown in ("1 min 1 s", "tool_error", str(row.call_id), str(row.session_id)):
        assert shown in text
    assert f"/agenttool/{shop.pk}/change/" in text
    assert f"/agenttool/{shop.pk}/try/?from_log={row.pk}" in text


def test_run_again_is_for_those_who_may_run(shop: AgentTool) -> None:
    row = log(shop)
    text = staff_client("view_agenttoollog").get(f"{LIST}{row.pk}/change/").content.decode()
    assert "Run again" not in text


@pytest.mark.parametrize("fields", [{}, {"input": None, "metadata": {}, "duration_ms": None, "status": "running"}])
def test_a_call_of_no_tool_is_shown(operator_client: Client, db: None, fields: dict[str, Any]) -> None:
    text = operator_client.get(f"{LIST}{log(**fields).pk}/change/").content.decode()
    assert "no_such_tool" in text
    assert "Run again" not in text


def test_a_very_long_text_is_cut_on_the_page(operator_client: Client, db: None) -> None:
    row = log(content="y" * 300_000)
    text = operator_client.get(f"{LIST}{row.pk}/change/").content.decode()
    assert "The first 200000 of 300000 characters." in text
    assert len(text) < 300_000


@pytest.mark.parametrize("key", ["999", "x", "9" * 30])
def test_a_call_that_is_not_there_leads_back(operator_client: Client, db: None, key: str) -> None:
    assert operator_client.get(f"{LIST}{key}/change/").status_code == 302


def test_a_kept_output_is_read_a_page_at_a_time(operator_client: Client, shop: AgentTool) -> None:
    row = log(shop)
    content = "a" * 49_999 + "中" + HOSTILE + "b" * 50_000
    kept = KeptOutput.objects.create(
        call_id=row.call_id, session_id=row.session_id, tool_slug="shop", content=content, length=len(content)
    )
    url = f"/admin/workspace/keptoutput/{kept.pk}/change/"
    assert url in operator_client.get(f"{LIST}{row.pk}/change/").content.decode()
    first, second = (operator_client.get(f"{url}?page={number}") for number in (1, 2))
    assert first.context["piece"] == content[:50_000]
    assert second.context["piece"] == content[50_000:100_000]
    assert HOSTILE not in second.content.decode()
    assert f"{LIST}{row.pk}/change/" in first.content.decode()
    for number in ("0", "x", "99", "9" * 30):
        assert operator_client.get(f"{url}?page={number}").status_code == 200
    for name in ("0", "x", "²", "9" * 30, str(row.call_id)):
        assert operator_client.get(f"/admin/workspace/keptoutput/{name}/change/").status_code == 302
    assert operator_client.post(url, {"content": "x"}).status_code == 403
    assert staff_client("view_agenttoollog").get(url).status_code == 403
    assert operator_client.get("/admin/workspace/keptoutput/?q=" + str(row.call_id)).context["cl"].result_count == 1


def test_the_filtered_calls_are_exported_as_csv(operator_client: Client, operator: User, shop: AgentTool) -> None:
    row = log(shop, user=operator, status="error", error_message="=cmd|' /C calc'!A0", input={"a": 'x,\n"y"'})
    log(shop, status="success")
    log(shop, status="error", age=timedelta(days=8))
    response = operator_client.get(f"{LIST}export/csv/?status=error")
    assert response["Content-Disposition"].startswith('attachment; filename="tool-calls-')
    [line] = csv.DictReader(read(response).splitlines(keepends=True))
    assert (line["id"], line["user"], line["tool_slug"]) == (str(row.pk), "operator", "shop")
    assert json.loads(line["input"]) == {"a": 'x,\n"y"'}
    assert line["error_message"].startswith("'=")
    assert line["created_at"] == row.created_at.isoformat()


def test_json_lines_hold_whole_rows_newest_first(operator_client: Client, shop: AgentTool) -> None:
    rows = [log(shop, content=f"é {number}", output={"n": number}) for number in range(450)]
    lines = [json.loads(line) for line in read(operator_client.get(f"{LIST}export/jsonl/")).splitlines()]
    assert [line["id"] for line in lines] == [row.pk for row in reversed(rows)]
    assert (lines[0]["content"], lines[0]["output"], lines[0]["user"]) == ("é 449", {"n": 449}, None)
    assert lines[0]["call_id"] == str(rows[-1].call_id)


def test_an_export_of_another_form_is_not_found(operator_client: Client, db: None) -> None:
    assert operator_client.get(f"{LIST}export/xml/").status_code == 404
    assert operator_client.get(f"{LIST}export/csv/?nonsense=1").status_code == 302


@pytest.mark.django_db(transaction=True)
async def test_an_export_streams_under_asgi_too(shop: AgentTool, operator: User) -> None:
    client = AsyncClient()
    await client.aforce_login(operator)
    await sync_to_async(log)(shop)
    response: Any = await client.get(f"{LIST}export/jsonl/")
    assert isinstance(response.streaming_content, AsyncIterator)
    parts = [part async for part in response.streaming_content]
    assert json.loads(b"".join(parts))["tool_slug"] == "shop"
    await sync_to_async(connections.close_all)()  # those of the thread that ran the queries


def test_the_chart_shows_the_last_seven_days(operator_client: Client, shop: AgentTool) -> None:
    for age, status, duration in ((1, "success", 15), (1, "error", 150), (30, "success", 70), (24 * 8, "error", 9)):
        log(shop, age=timedelta(hours=age), status=status, duration_ms=duration)
    log(status="running", duration_ms=None)
    context = operator_client.get(f"{LIST}chart/").context
    assert (context["total"].calls, context["total"].failed, context["total"].rate) == (4, 1, "25.0%")
    assert len(context["calls_chart"].bars) in {168, 169, 170}
    assert sum(row.calls for row in context["table"]) == 4
    only = operator_client.get(f"{LIST}chart/?tool=shop&by=day").context
    assert only["total"].calls == 3
    assert len(only["calls_chart"].bars) in {8, 9}
    assert operator_client.get(f"{LIST}chart/?tool=%3Cscript%3E").context["total"].calls == 0


def test_the_chart_of_an_empty_log_is_drawn(operator_client: Client, db: None) -> None:
    text = operator_client.get(f"{LIST}chart/").content.decode()
    assert "No calls." in text
    assert "<rect" not in text


def test_the_chart_has_its_numbers_in_a_table(operator_client: Client, db: None) -> None:
    log(duration_ms=400)
    text = operator_client.get(f"{LIST}chart/").content.decode()
    assert text.count("<figure") == 2
    assert '<rect class="bar bar-ok"' in text
    assert "<td>400 ms</td>" in text
    assert f"{timezone.localtime():%H}:00" in text
    assert AgentToolLog.objects.count() == 1

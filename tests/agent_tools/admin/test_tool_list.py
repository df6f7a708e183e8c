from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from agent_tools.models import AgentTool, AgentToolLog
from agent_tools.selectors.stats import calls_of_last_day
from agent_tools.services.tools import create_tool
from tests.fakes.browser_forms import filled_in
from tests.fakes.log_rows import log
from tests.fakes.staff import staff_client
from tests.fakes.stored_tools import store

LIST = "/admin/agent_tools/agenttool/"


def shop_tool(slug: str, **fields: Any) -> AgentTool:
    return create_tool(name=slug.title(), slug=slug, description=f"For {slug}.", type="shop", **fields)


@pytest.fixture
def broken(db: None) -> list[AgentTool]:
    """Rows that no type, or not their own type, would take."""
    changes: dict[str, dict[str, Any]] = {
        "gone": {"type": "gone"},
        "wrong": {"config": {"count": 99, "mode": "medium"}},
        "list": {"config": ["no", "object"]},
        "null": {"config": {"$secret": "no token"}},
        "mute": {"type": "mute", "config": {}},
    }
    tools = [shop_tool(slug) for slug in changes]
    for tool in tools:
        store(tool, **changes[tool.slug])
    return tools


def test_tools_stand_by_sort_order(operator_client: Client) -> None:
    for slug, order in (("late", 9), ("early", -1), ("middle", 3)):
        shop_tool(slug, sort_order=order)
    listed = operator_client.get(LIST).context["cl"].result_list
    assert [tool.slug for tool in listed] == ["early", "middle", "late"]


def test_the_last_day_is_counted(operator_client: Client) -> None:
    shop = shop_tool("shop")
    for status in ("success", "success", "error", "timeout", "denied", "cancelled", "running", "interrupted"):
        log(shop, status=status)
    old = log(shop, status="error")
    AgentToolLog.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(hours=25))
    stats = calls_of_last_day([shop.pk])[shop.pk]
    assert (stats.calls, stats.failed, stats.error_rate) == (8, 3, 0.375)
    text = operator_client.get(LIST).content.decode()
    assert "8 calls" in text
    assert "38% failed" in text


@pytest.mark.parametrize("count", [1, 12])
def test_the_list_takes_the_same_queries_for_any_number_of_tools(
    operator_client: Client, django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    for number in range(count):
        log(shop_tool(f"tool{number}"), status="success")
    operator_client.get(LIST)
    # Session, user, types, three of the stock list (count, count of all, rows), the last day.
    with django_assert_num_queries(7):
        operator_client.get(LIST)


def test_switch_and_order_are_edited_in_the_list(operator_client: Client) -> None:
    first, second = shop_tool("first", sort_order=1), shop_tool("second", sort_order=2)
    data = filled_in(operator_client.get(LIST).content.decode(), "changelist-form")
    del data["form-0-enabled"]
    data |= {"form-1-sort_order": "-5", "_save": "Save", "action": ""}
    assert operator_client.post(LIST, data).status_code == 302
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.enabled, first.sort_order) == (False, 1)
    assert (second.enabled, second.sort_order) == (True, -5)


def test_the_list_filters_and_searches(operator_client: Client) -> None:
    shop_tool("red", enabled=False)
    store(shop_tool("blue"), type="gone")
    for query, slugs in (
        ("?enabled__exact=0", ["red"]),
        ("?type=gone", ["blue"]),
        ("?type=shop", ["red"]),
        ("?q=For+blue", ["blue"]),
    ):
        assert [tool.slug for tool in operator_client.get(LIST + query).context["cl"].result_list] == slugs


def test_broken_rows_say_what_is_wrong(operator_client: Client, broken: list[AgentTool]) -> None:
    text = operator_client.get(LIST).content.decode()
    assert "There is no tool type &#x27;gone&#x27;" in text
    assert "count: Input should be less than or equal to 9.; mode: Input should be" in text
    for tool in broken:
        for page in ("change", "definition", "try", "delete", "history"):
            assert operator_client.get(f"{LIST}{tool.pk}/{page}/").status_code == 200, (tool.slug, page)


def test_broken_rows_can_be_renamed_disabled_and_deleted(operator_client: Client, broken: list[AgentTool]) -> None:
    for tool in broken:
        url = f"{LIST}{tool.pk}/change/"
        data = filled_in(operator_client.get(url).content.decode(), "agenttool_form")
        data["name"] = "Renamed"
        del data["enabled"]
        response = operator_client.post(url, data)
        assert response.status_code == 302, (tool.slug, response.context["adminform"].form.errors)
    assert set(AgentTool.objects.values_list("name", "enabled")) == {("Renamed", False)}
    for tool in broken:
        assert operator_client.post(f"{LIST}{tool.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not AgentTool.objects.exists()


def test_a_wrong_configuration_is_corrected_in_its_form(operator_client: Client, broken: list[AgentTool]) -> None:
    url = f"{LIST}{broken[1].pk}/change/"
    data = filled_in(operator_client.get(url).content.decode(), "agenttool_form")
    assert (data["config__count"], data["config__mode"]) == ("99", "medium")
    response = operator_client.post(url, {**data, "config__count": "9"})
    assert list(response.context["adminform"].form.errors) == ["config__mode"]
    assert operator_client.post(url, {**data, "config__count": "9", "config__mode": "fast"}).status_code == 302
    assert AgentTool.objects.get(pk=broken[1].pk).config["count"] == 9


def test_disabling_several_asks_first_and_names_what_models_lose(operator_client: Client) -> None:
    tools = [shop_tool("one"), shop_tool("two"), shop_tool("off", enabled=False)]
    shop_tool("stays")
    log(tools[0], status="success")
    chosen = {ACTION_CHECKBOX_NAME: [str(tool.pk) for tool in tools], "action": "disable"}
    response = operator_client.post(LIST, {**chosen, "index": "0"})
    text = response.content.decode()
    assert "Models lose these tools" in text
    assert "For one." in text
    assert "For off." not in text
    assert "1 enabled tool is left." in text
    assert AgentTool.objects.enabled().count() == 3
    assert operator_client.post(LIST, {**chosen, "post": "yes"}).status_code == 302
    assert [tool.slug for tool in AgentTool.objects.enabled()] == ["stays"]
    assert LogEntry.objects.count() == 2
    assert operator_client.post(LIST, {**chosen, "action": "enable", "post": "yes"}).status_code == 302
    assert AgentTool.objects.enabled().count() == 4


def test_an_action_that_changes_nothing_says_so(operator_client: Client) -> None:
    tool = shop_tool("one")
    chosen = {ACTION_CHECKBOX_NAME: str(tool.pk), "action": "enable", "index": "0"}
    text = operator_client.post(LIST, chosen, follow=True).content.decode()
    assert "The selected tools are that already." in text


def test_several_are_deleted_at_once(operator_client: Client, broken: list[AgentTool]) -> None:
    chosen = {ACTION_CHECKBOX_NAME: [str(tool.pk) for tool in broken], "action": "delete_selected"}
    assert operator_client.post(LIST, {**chosen, "index": "0"}).status_code == 200
    assert operator_client.post(LIST, {**chosen, "post": "yes"}).status_code == 302
    assert not AgentTool.objects.exists()


def test_staff_see_and_do_what_they_may(operator_client: Client, shop: AgentTool) -> None:
    pages = {"": "view", "add/": "add", f"{shop.pk}/change/": "view", f"{shop.pk}/definition/": "view"}
    pages |= {f"{shop.pk}/try/": "change", f"{shop.pk}/delete/": "delete"}
    rights = {"none": (), "view": ("view",), "add": ("add",), "change": ("view", "change"), "delete": ("delete",)}
    allowed = {"change": {"view", "change"}}
    for right, verbs in rights.items():
        client = staff_client(*(f"{verb}_agenttool" for verb in verbs))
        for page, needed in pages.items():
            expected = 200 if needed in allowed.get(right, {right}) else 403
            assert client.get(LIST + page).status_code == expected, (right, page)


def test_a_viewer_sees_the_configuration_masked_and_no_ways_in(shop: AgentTool) -> None:
    viewer = staff_client("view_agenttool")
    text = viewer.get(f"{LIST}{shop.pk}/change/").content.decode()
    assert "&quot;$secret&quot;: &quot;set&quot;" in text
    assert "Try it" not in text + viewer.get(LIST).content.decode()
    assert 'name="config__count"' not in text
    assert viewer.post(f"{LIST}{shop.pk}/change/", {"name": "x"}).status_code == 403
    assert viewer.post(f"{LIST}{shop.pk}/try/", {}).status_code == 403


def test_nobody_comes_in_without_being_staff(client: Client, shop: AgentTool) -> None:
    for page in ("", "add/", f"{shop.pk}/change/", f"{shop.pk}/try/", f"{shop.pk}/definition/"):
        assert client.get(LIST + page).status_code == 302


def test_a_tool_that_is_not_there_is_not_found(operator_client: Client) -> None:
    missing = "00000000-0000-0000-0000-000000000000"
    for page in ("try", "definition"):
        assert operator_client.get(f"{LIST}{missing}/{page}/").status_code == 404
    assert operator_client.get(f"{LIST}{missing}/change/").status_code == 302

"""Tools are listed, made, changed and deleted through the API."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from agent_tools.models import AgentTool, AgentToolLog
from agent_tools.services.tools import create_tool

BODY = {"name": "Second", "slug": "second", "description": "Greets.", "type": "greeter"}
KEYS = {
    "id",
    "name",
    "slug",
    "description",
    "type",
    "config",
    "enabled",
    "sort_order",
    "problem",
    "created_at",
    "updated_at",
}


def pointers(body: dict[str, Any]) -> dict[str, str]:
    return {finding["pointer"]: finding["detail"] for finding in body["errors"]}


def test_the_list_is_a_plain_array_by_sort_order_then_slug(api: APIClient, greeter: AgentTool) -> None:
    create_tool(**BODY, sort_order=-1)
    create_tool(**{**BODY, "slug": "another"})
    tools = api.get("/api/agent-tools").json()
    assert [tool["slug"] for tool in tools] == ["second", "another", "greeter"]
    assert set(tools[0]) == KEYS


def test_the_list_costs_the_same_queries_however_many_tools_there_are(api: APIClient, greeter: AgentTool) -> None:
    api.get("/api/agent-tools")
    with CaptureQueriesContext(
        connection,
    ) as few:
        api.get("/api/agent-tools")
    for number in range(5):
        create_tool(**{**BODY, "slug": f"tool-{number}"})
    with CaptureQueriesContext(connection) as many:
        api.get("/api/agent-tools")
    assert len(few) == len(many) == 2  # the token with its user, the tools


def test_a_tool_is_made_with_defaults_and_says_where_it_is(api: APIClient) -> None:
    answer = api.post("/api/agent-tools", BODY)
    assert answer.status_code == 201
    made = answer.json()
    assert made["enabled"] is True
    assert made["sort_order"] == 0
    assert made["problem"] is None
    assert made["config"] == {"greeting": "Hello", "limit": 3, "token": None, "headers": {}}
    assert answer["Location"].endswith(f"/api/agent-tools/{made['id']}")
    assert api.get(answer["Location"]).json() == made


def test_everything_wrong_with_a_new_tool_is_told_at_once(api: APIClient) -> None:
    body = {
        "name": "x" * 51,
        "slug": "with blank",
        "type": "greeter",
        "config": {"limit": 11, "greeting": "Hey", "colour": "red", "headers": {"X.Y": 5}},
        "sort_order": 2**40,
        "sortOrder": 1,
    }
    answer = api.post("/api/agent-tools", body)
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    found = pointers(answer.json())
    assert set(found) == {
        "/name",
        "/slug",
        "/description",
        "/sort_order",
        "/sortOrder",
        "/config/limit",
        "/config/greeting",
        "/config/colour",
        "/config/headers/X.Y",
    }
    assert "remove it" in found["/sortOrder"]
    assert "remove it" in found["/config/colour"]


@pytest.mark.parametrize("config", ["text", 5, [], None, True])
def test_a_config_that_is_no_object_is_refused(api: APIClient, config: object) -> None:
    answer = api.post("/api/agent-tools", {**BODY, "config": config})
    assert answer.status_code == 400
    assert set(pointers(answer.json())) == {"/config"}


def test_an_unknown_type_is_refused_naming_the_known_ones(api: APIClient) -> None:
    answer = api.post("/api/agent-tools", {**BODY, "type": "teleport"})
    assert answer.status_code == 400
    assert "greeter" in pointers(answer.json())["/type"]
    assert not AgentTool.objects.exists()


def test_a_slug_that_is_taken_is_refused(api: APIClient, greeter: AgentTool) -> None:
    answer = api.post("/api/agent-tools", {**BODY, "slug": "greeter"})
    assert answer.status_code == 400
    assert set(pointers(answer.json())) == {"/slug"}


def test_put_takes_back_what_get_gave(api: APIClient, greeter: AgentTool) -> None:
    address = f"/api/agent-tools/{greeter.pk}"
    body = api.get(address).json()
    answer = api.put(address, {**body, "name": "Renamed"})
    assert answer.status_code == 200, answer.content
    assert answer.json() == {**body, "name": "Renamed", "updated_at": answer.json()["updated_at"]}


def test_put_demands_name_slug_and_description(api: APIClient, greeter: AgentTool) -> None:
    answer = api.put(f"/api/agent-tools/{greeter.pk}", {"enabled": False})
    assert set(pointers(answer.json())) == {"/name", "/slug", "/description"}


def test_put_replaces_the_config_and_leaves_an_absent_one(api: APIClient, greeter: AgentTool) -> None:
    address = f"/api/agent-tools/{greeter.pk}"
    whole = {"name": "Greeter", "slug": "greeter", "description": "Greets."}
    assert api.put(address, {**whole, "config": {"limit": 5}}).json()["config"]["limit"] == 5
    assert api.put(address, whole).json()["config"]["limit"] == 5
    assert api.put(address, {**whole, "config": {}}).json()["config"]["limit"] == 3


def test_patch_changes_what_it_names_in_the_config_too(api: APIClient, greeter: AgentTool) -> None:
    address = f"/api/agent-tools/{greeter.pk}"
    api.patch(address, {"config": {"limit": 5}})
    answer = api.patch(address, {"enabled": False, "config": {"greeting": "Goodbye"}})
    assert answer.status_code == 200
    assert answer.json()["enabled"] is False
    assert answer.json()["config"]["limit"] == 5
    assert answer.json()["config"]["greeting"] == "Goodbye"


@pytest.mark.parametrize("method", ["put", "patch"])
def test_the_type_of_a_tool_cannot_be_changed(api: APIClient, greeter: AgentTool, method: str) -> None:
    body = {**BODY, "type": "fetch", "config": {"limit": 4}}
    answer = getattr(api, method)(f"/api/agent-tools/{greeter.pk}", body)
    assert answer.status_code == 400
    assert "cannot be changed" in pointers(answer.json())["/type"]


def test_a_wrong_change_changes_nothing(api: APIClient, greeter: AgentTool) -> None:
    answer = api.patch(f"/api/agent-tools/{greeter.pk}", {"name": "Renamed", "config": {"limit": 99}})
    assert answer.status_code == 400
    assert set(pointers(answer.json())) == {"/config/limit"}
    greeter.refresh_from_db()
    assert greeter.name == "Greeter"


def test_a_deleted_tool_is_gone_and_its_calls_stay(api: APIClient, greeter: AgentTool) -> None:
    address = f"/api/agent-tools/{greeter.pk}"
    AgentToolLog.objects.create(session_id=uuid.uuid4(), tool_id=greeter.pk, tool_slug="greeter", door="api")
    answer = api.delete(address)
    assert answer.status_code == 204
    assert answer.content == b""
    assert api.get(address).status_code == 404
    assert AgentToolLog.objects.filter(tool_id=greeter.pk).exists()


@pytest.mark.parametrize("identifier", ["00000000-0000-4000-8000-000000000000", "nonsense", "0", "%00", "é"])
@pytest.mark.parametrize("method", ["get", "put", "patch", "delete"])
def test_a_tool_that_does_not_exist_is_a_404(api: APIClient, method: str, identifier: str) -> None:
    answer = getattr(api, method)(f"/api/agent-tools/{identifier}")
    assert answer.status_code == 404
    assert answer.json()["type"] == "urn:agent-tools:problem:not_found"


def test_an_id_in_capitals_is_the_same_id(api: APIClient, greeter: AgentTool) -> None:
    assert api.get(f"/api/agent-tools/{str(greeter.pk).upper()}").status_code == 200

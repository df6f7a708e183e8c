"""Staff may do what Django's permissions let them do, as in the admin."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from agent_tools.models import AgentTool
from tests.fakes.api_client import allow

BODY = {"name": "Second", "slug": "second", "description": "Greets.", "type": "greeter"}
PLACES = ("/api/", "/api/agent-tools", "/api/tool-types", "/api/tool-types/greeter", "/api/tool-logs", "/api/schema")


def attempt(api: APIClient, tool: AgentTool, what: str) -> int:
    one = f"/api/agent-tools/{tool.pk}"
    match what:
        case "list":
            return api.get("/api/agent-tools").status_code
        case "show":
            return api.get(one).status_code
        case "definition":
            return api.get(f"{one}/definition").status_code
        case "add":
            return api.post("/api/agent-tools", BODY).status_code
        case "put":
            return api.put(one, BODY).status_code
        case "patch":
            return api.patch(one, {"enabled": False}).status_code
        case "delete":
            return api.delete(one).status_code
        case "execute":
            return api.post(f"{one}/execute", {"input": {}}).status_code
    return api.get("/api/tool-logs").status_code


EVERYTHING = ("list", "show", "definition", "add", "put", "patch", "execute", "logs", "delete")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("codename", "allowed"),
    [
        ("view_agenttool", {"list", "show", "definition"}),
        ("add_agenttool", {"add"}),
        ("change_agenttool", {"list", "show", "definition", "put", "patch", "execute"}),
        ("delete_agenttool", {"delete"}),
        ("view_agenttoollog", {"logs"}),
        ("view_grant", set()),
    ],
)
def test_each_permission_allows_its_own_and_no_more(
    staff: User, greeter: AgentTool, codename: str, allowed: set[str]
) -> None:
    api = APIClient()
    api.force_authenticate(allow(staff, codename))
    found = {what for what in EVERYTHING if attempt(api, greeter, what) < 300}
    assert found == allowed


def test_a_refusal_names_the_permission(staff_api: APIClient, greeter: AgentTool) -> None:
    answer = staff_api.post(f"/api/agent-tools/{greeter.pk}/execute", {"input": {}})
    assert answer.status_code == 403
    assert "agent_tools.change_agenttool" in answer.json()["detail"]


def test_tool_types_are_for_all_staff(staff_api: APIClient) -> None:
    assert staff_api.get("/api/tool-types").status_code == 200
    assert staff_api.post("/api/tool-types/greeter/input-schema", {}).status_code == 200


def test_a_permission_without_staff_opens_nothing(person: User, greeter: AgentTool) -> None:
    api = APIClient()
    api.force_authenticate(allow(person, "view_agenttool", "change_agenttool"))
    assert attempt(api, greeter, "list") == 403
    assert attempt(api, greeter, "execute") == 403


@pytest.mark.parametrize("place", PLACES)
def test_everything_is_closed_to_others(person: User, place: str) -> None:
    api = APIClient()
    assert api.get(place).status_code == 401
    api.force_authenticate(person)
    answer = api.get(place)
    assert answer.status_code == 403
    assert answer["Content-Type"] == "application/problem+json"


def test_what_does_not_exist_is_not_told_to_others(staff_api: APIClient, greeter: AgentTool) -> None:
    known = staff_api.get(f"/api/agent-tools/{greeter.pk}")
    unknown = staff_api.get("/api/agent-tools/00000000-0000-4000-8000-000000000000")
    assert known.status_code == unknown.status_code == 403
    assert known.json() == unknown.json()

"""Every address works with and without its last slash; what is no address is answered as a problem."""

from __future__ import annotations

import uuid

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from agent_tools.models import AgentTool, AgentToolLog


@pytest.mark.parametrize(
    "address", ["/api/agent-tools", "/api/tool-types", "/api/tool-types/greeter", "/api/tool-logs", "/api/schema"]
)
def test_reading_works_with_and_without_the_slash(api: APIClient, address: str) -> None:
    assert api.get(address).status_code == api.get(f"{address}/").status_code == 200


def test_one_tool_and_one_call_work_with_and_without_the_slash(api: APIClient, greeter: AgentTool) -> None:
    row = AgentToolLog.objects.create(session_id=uuid.uuid4(), tool_slug="greeter", door="api")
    tool = f"/api/agent-tools/{greeter.pk}"
    for address in (tool, f"{tool}/definition", f"/api/tool-logs/{row.pk}", f"/api/tool-logs/{row.call_id}"):
        assert api.get(address).status_code == api.get(f"{address}/").status_code == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("slash", ["", "/"])
def test_writing_works_with_and_without_the_slash(api: APIClient, slash: str) -> None:
    body = {"name": "n", "slug": "n", "description": "d", "type": "greeter"}
    made = api.post(f"/api/agent-tools{slash}", body)
    assert made.status_code == 201
    tool = f"/api/agent-tools/{made.json()['id']}"
    assert api.put(f"{tool}{slash}", body).status_code == 200
    assert api.patch(f"{tool}{slash}", {"name": "m"}).status_code == 200
    assert api.post(f"{tool}/execute{slash}", {"input": {}}).status_code == 200
    assert api.post(f"/api/tool-types/greeter/input-schema{slash}", {}).status_code == 200
    assert api.delete(f"{tool}{slash}").status_code == 204


@pytest.mark.parametrize(
    "address",
    [
        "/api/nonsense",
        "/api/nonsense/",
        "/api/agent-tools//",
        "/api/agent-tools/1/2/3",
        "/api/agent-tools/1/run",
        "/api/tool-logs/1/2",
        "/api/auth/nonsense",
        "/api/<script>",
    ],
)
@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete", "options"])
def test_what_is_no_address_is_a_404_for_anyone_and_any_method(db: None, address: str, method: str) -> None:
    answer = getattr(APIClient(), method)(address)
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["type"] == "urn:agent-tools:problem:not_found"


def test_the_canonical_address_has_no_slash() -> None:
    assert reverse("api:tools") == "/api/agent-tools"
    assert reverse("api:execute", args=["5"]) == "/api/agent-tools/5/execute"
    assert reverse("api:root") == "/api/"


def test_the_root_names_the_places_there_are(api: APIClient) -> None:
    places = api.get("/api/").json()
    assert set(places) == {"agent_tools", "tool_types", "tool_logs", "schema"}
    for place in places.values():
        assert api.get(place).status_code == 200


def test_answers_are_not_for_caches(api: APIClient) -> None:
    for address in ("/api/", "/api/agent-tools", "/api/nonsense", "/api/schema"):
        assert "no-store" in api.get(address)["Cache-Control"]


def test_a_head_request_is_answered_like_a_get_without_its_body(api: APIClient) -> None:
    answer = api.head("/api/agent-tools")
    assert answer.status_code == 200
    assert answer.content == b""


def test_options_tells_what_an_address_takes(api: APIClient) -> None:
    answer = api.options("/api/agent-tools")
    assert answer.status_code == 200
    assert answer["Allow"] == "GET, POST, HEAD, OPTIONS"

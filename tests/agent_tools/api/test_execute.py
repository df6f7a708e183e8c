"""Tools are run through the API, one at a time."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from agent_tools.models import AgentTool, AgentToolLog
from tests.fakes.stored_tools import store

pytestmark = pytest.mark.django_db(transaction=True)

INPUT = {"name": "you", "url": "https://example.org/"}


def run(api: APIClient, tool: AgentTool, body: object) -> dict[str, Any]:
    answer = api.post(f"/api/agent-tools/{tool.pk}/execute", body)
    assert answer.status_code == 200, answer.content
    result: dict[str, Any] = answer.json()
    assert set(result) == {"success", "data", "error", "metadata"}
    return result


def test_a_run_gives_its_data_and_the_facts_of_the_call(api: APIClient, operator: User, greeter: AgentTool) -> None:
    result = run(api, greeter, {"input": {**INPUT, "times": 2}})
    assert result["success"] is True
    assert result["error"] is None
    assert result["data"] == {"greetings": ["Hello, you!", "Hello, you!"]}
    facts = result["metadata"]
    assert facts["status_code"] == 200
    assert facts["status"] == "success"
    assert facts["reason"] == ""
    assert facts["ran"] == "yes"
    assert isinstance(facts["duration_ms"], int)
    row = AgentToolLog.objects.get(call_id=facts["call_id"])
    assert (row.door, row.user_id, row.tool_id, row.status) == ("api", operator.pk, greeter.pk, "success")


def test_a_run_without_structured_data_gives_its_text(api: APIClient, greeter: AgentTool) -> None:
    assert run(api, greeter, {"input": {**INPUT, "name": "text"}})["data"] == "Hello, text!"


def test_a_disabled_tool_runs_too(api: APIClient, greeter: AgentTool) -> None:
    AgentTool.objects.update(enabled=False)
    assert run(api, greeter, {"input": INPUT})["success"] is True


@pytest.mark.parametrize(
    ("tool_input", "reason"),
    [
        ({}, "invalid_arguments"),
        (None, "invalid_arguments"),
        ({**INPUT, "times": 99}, "invalid_arguments"),
        ({**INPUT, "times": "many"}, "invalid_arguments"),
        ({**INPUT, "colour": "red"}, "invalid_arguments"),
        ([INPUT], "not_an_object"),
        (5, "not_an_object"),
        (True, "not_an_object"),
        ("hello", "invalid_json"),
        ({**INPUT, "name": "nobody"}, "nobody_there"),
        ({**INPUT, "name": "bug"}, "internal_error"),
    ],
)
def test_a_call_that_fails_is_an_answer_with_its_reason(
    api: APIClient, greeter: AgentTool, tool_input: object, reason: str
) -> None:
    result = run(api, greeter, {"input": tool_input})
    assert result["success"] is False
    assert result["error"]
    assert result["metadata"]["reason"] == reason
    assert result["metadata"]["status"] == "error"
    assert AgentToolLog.objects.get(call_id=result["metadata"]["call_id"]).reason == reason


@pytest.mark.parametrize("body", [{}, {"input": {}}, {"input": None}])
def test_an_absent_input_counts_as_an_empty_one(api: APIClient, greeter: AgentTool, body: object) -> None:
    assert "name" in run(api, greeter, body)["error"]


def test_no_body_at_all_counts_as_an_empty_one(api: APIClient, greeter: AgentTool) -> None:
    answer = api.post(f"/api/agent-tools/{greeter.pk}/execute")
    assert answer.status_code == 200
    assert answer.json()["metadata"]["reason"] == "invalid_arguments"


@pytest.mark.parametrize("body", [[], "text", 5, None, True])
def test_a_body_that_is_no_object_is_malformed(api: APIClient, greeter: AgentTool, body: object) -> None:
    answer = api.generic("POST", f"/api/agent-tools/{greeter.pk}/execute", json.dumps(body), "application/json")
    assert answer.status_code == 400
    assert not AgentToolLog.objects.exists()


def test_a_misspelt_key_is_named(api: APIClient, greeter: AgentTool) -> None:
    answer = api.post(f"/api/agent-tools/{greeter.pk}/execute", {"inputs": INPUT})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "/inputs"


def test_an_unknown_type_is_a_500_that_says_so(api: APIClient, greeter: AgentTool) -> None:
    store(greeter, type="teleport")
    answer = api.post(f"/api/agent-tools/{greeter.pk}/execute", {"input": INPUT})
    assert answer.status_code == 500
    body = answer.json()
    assert body["type"] == "urn:agent-tools:problem:unknown_tool_type"
    assert "teleport" in body["detail"]


def test_a_broken_config_is_a_call_that_failed(api: APIClient, greeter: AgentTool) -> None:
    store(greeter, config={"limit": "many"})
    result = run(api, greeter, {"input": INPUT})
    assert result["success"] is False
    assert result["metadata"]["reason"] == "invalid_config"


def test_a_tool_that_does_not_exist_is_a_404(api: APIClient) -> None:
    assert api.post(f"/api/agent-tools/{uuid.uuid4()}/execute", {"input": INPUT}).status_code == 404


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete"])
def test_only_post_runs(api: APIClient, greeter: AgentTool, method: str) -> None:
    answer = getattr(api, method)(f"/api/agent-tools/{greeter.pk}/execute")
    assert answer.status_code == 405
    assert "POST" in answer["Allow"]
    assert answer.json()["status"] == 405
    assert not AgentToolLog.objects.exists()

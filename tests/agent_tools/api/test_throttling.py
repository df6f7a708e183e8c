"""How often one may ask is a setting, read at each request."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from agent_tools.models import AgentTool
from agent_tools.services.tools import create_tool


@pytest.fixture
def rates(settings: Any) -> Any:
    def set_rates(**rates: str) -> None:
        known = {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], **rates}
        settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": known}

    return set_rates


def test_too_many_requests_are_told_when_to_come_back(api: APIClient, rates: Any) -> None:
    rates(api="2/hour")
    assert [api.get("/api/agent-tools").status_code for _ in range(3)] == [200, 200, 429]
    answer = api.get("/api/tool-types")
    assert answer.status_code == 429
    assert answer["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert body["type"] == "urn:agent-tools:problem:throttled"
    assert body["retry_after"] == int(answer["Retry-After"])
    assert 3500 < body["retry_after"] <= 3600


def test_a_lowered_rate_counts_at_once_and_still_tells_when(api: APIClient, rates: Any) -> None:
    for _ in range(4):
        api.get("/api/agent-tools")
    rates(api="1/min")
    answer = api.get("/api/agent-tools")
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 60


def test_each_user_has_a_rate_of_their_own(api: APIClient, staff_api: APIClient, rates: Any) -> None:
    rates(api="1/hour")
    api.get("/api/tool-types")
    assert api.get("/api/tool-types").status_code == 429
    assert staff_api.get("/api/tool-types").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_runs_are_counted_for_each_user_and_tool(api: APIClient, greeter: AgentTool, rates: Any) -> None:
    rates(execute="1/hour")
    other = create_tool(name="O", slug="other", description="d", type="greeter")
    boss = APIClient()
    boss.force_authenticate(User.objects.create_superuser("boss", "boss@example.org", "boss-password"))

    def run(client: APIClient, tool: AgentTool) -> int:
        return client.post(f"/api/agent-tools/{tool.pk}/execute", {"input": {}}).status_code

    assert run(api, greeter) == 200
    assert run(api, greeter) == 429
    assert run(api, other) == 200
    assert run(boss, greeter) == 200
    assert api.get(f"/api/agent-tools/{greeter.pk}").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_an_id_in_capitals_is_counted_as_the_same_tool(api: APIClient, greeter: AgentTool, rates: Any) -> None:
    rates(execute="1/hour")
    api.post(f"/api/agent-tools/{greeter.pk}/execute", {"input": {}})
    assert api.post(f"/api/agent-tools/{str(greeter.pk).upper()}/execute", {"input": {}}).status_code == 429

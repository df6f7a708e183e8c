"""Secrets go in through the API and never come out."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from agent_tools import configs
from agent_tools.models import AgentTool

MASK = {"$secret": "set"}
SECRETS = (b"sesame-token", b"sesame-header", b"sesame-new")


def opened(tool: AgentTool) -> tuple[str, ...]:
    tool.refresh_from_db()
    return configs.secret_values(tool.load_config())


def change(api: APIClient, tool: AgentTool, method: str, config: object) -> dict[str, object]:
    body = {"name": "Greeter", "slug": "greeter", "description": "Greets.", "config": config}
    answer = getattr(api, method)(f"/api/agent-tools/{tool.pk}", body)
    assert answer.status_code == 200, answer.content
    assert not any(secret in answer.content for secret in SECRETS)
    shown: dict[str, object] = answer.json()["config"]
    return shown


@pytest.mark.parametrize("method", ["put", "patch"])
class TestAChangedConfig:
    def test_keeps_an_absent_secret(self, api: APIClient, greeter: AgentTool, method: str) -> None:
        shown = change(api, greeter, method, {"limit": 4})
        assert shown["token"] == MASK
        assert shown["headers"] == {"X-Key": MASK}
        assert opened(greeter) == ("sesame-token", "sesame-header")

    def test_keeps_a_secret_whose_mask_comes_back(self, api: APIClient, greeter: AgentTool, method: str) -> None:
        change(api, greeter, method, {"token": MASK, "headers": {"X-Key": MASK}})
        assert opened(greeter) == ("sesame-token", "sesame-header")

    def test_clears_a_secret_with_null(self, api: APIClient, greeter: AgentTool, method: str) -> None:
        shown = change(api, greeter, method, {"token": None, "headers": {"X-Key": None}})
        assert shown["token"] is None
        assert shown["headers"] == {}
        assert opened(greeter) == ()

    def test_replaces_a_secret_with_a_string(self, api: APIClient, greeter: AgentTool, method: str) -> None:
        shown = change(api, greeter, method, {"token": "sesame-new"})
        assert shown["token"] == MASK
        assert opened(greeter) == ("sesame-new", "sesame-header")


def test_a_refused_config_does_not_repeat_its_secrets(api: APIClient, greeter: AgentTool) -> None:
    config = {"token": ["sesame-new"], "headers": {"X-Key": {"a": "sesame-new"}}, "limit": "sesame-new"}
    answer = api.patch(f"/api/agent-tools/{greeter.pk}", {"config": config})
    assert answer.status_code == 400
    assert b"sesame-new" not in answer.content


@pytest.mark.django_db(transaction=True)
def test_no_answer_and_no_page_shows_a_secret(api: APIClient, operator: User, greeter: AgentTool) -> None:
    browser = Client()
    browser.force_login(operator)
    tool = f"/api/agent-tools/{greeter.pk}"
    api.post(f"{tool}/execute", {"input": {"name": "you", "url": "https://example.org/"}})
    places = ["/api/", "/api/agent-tools", tool, f"{tool}/definition", f"{tool}/execute", "/api/tool-types"]
    places += [
        "/api/tool-types/greeter",
        "/api/tool-types/greeter/input-schema",
        "/api/tool-logs?full=1",
        "/api/schema",
    ]
    stored = str(greeter.config["token"]["$secret"]).encode()
    for place in places:
        for answer in (api.get(place), browser.get(place, headers={"accept": "text/html"})):
            content = answer.content
            assert answer.status_code in {200, 405, 406}, place
            assert not any(secret in content for secret in (*SECRETS, stored)), place


def test_a_browsable_page_does_not_repeat_a_refused_secret(operator_client: Client, greeter: AgentTool) -> None:
    body = {"config": {"token": "sesame-new", "limit": 99}}
    answer = operator_client.patch(
        f"/api/agent-tools/{greeter.pk}", body, content_type="application/json", headers={"accept": "text/html"}
    )
    assert answer.status_code == 400
    assert b"/config/limit" in answer.content
    assert b"sesame-new" not in answer.content


def test_without_a_key_for_secrets_a_secret_is_refused_and_said_why(
    api: APIClient, greeter: AgentTool, settings: object
) -> None:
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "SECRET_KEYS": []}  # type: ignore[attr-defined]
    body = {"name": "n", "slug": "n", "description": "d", "type": "greeter", "config": {"token": "sesame-new"}}
    answer = api.post("/api/agent-tools", body)
    assert answer.status_code == 400
    assert "TOOL_SECRET_KEYS" in answer.json()["detail"]
    listed = api.get("/api/agent-tools").json()[0]
    assert listed["config"]["token"] == MASK
    assert "TOOL_SECRET_KEYS" in listed["problem"]

"""A row that cannot run is still listed, shown, mended and deleted; it never takes others with it."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from agent_tools.models import AgentTool
from tests.fakes.stored_tools import store


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"type": "teleport"}, "teleport"),
        ({"type": "lost"}, "lost"),
        ({"config": {"limit": "many"}}, "limit"),
        ({"config": ["no", "object"]}, "object"),
        ({"config": "text"}, "object"),
        ({"config": {"token": {"$secret": "not-sealed-by-us"}}}, "token"),
    ],
)
def test_a_broken_row_is_shown_with_its_problem(
    api: APIClient, greeter: AgentTool, fields: dict[str, object], told: str
) -> None:
    store(greeter, **fields)
    for tool in (api.get(f"/api/agent-tools/{greeter.pk}").json(), *api.get("/api/agent-tools").json()):
        assert told in tool["problem"]
        assert "not-sealed-by-us" not in str(tool)


def test_a_row_of_an_unknown_type_shows_its_config_masked(api: APIClient, greeter: AgentTool) -> None:
    store(greeter, type="teleport")
    config = api.get(f"/api/agent-tools/{greeter.pk}").json()["config"]
    assert config["token"] == {"$secret": "set"}
    assert config["headers"] == {"X-Key": {"$secret": "set"}}
    assert config["limit"] == 3


def test_a_row_of_an_unknown_type_can_be_disabled_and_deleted(api: APIClient, greeter: AgentTool) -> None:
    store(greeter, type="teleport")
    address = f"/api/agent-tools/{greeter.pk}"
    answer = api.patch(address, {"enabled": False})
    assert answer.status_code == 200, answer.content
    assert answer.json()["enabled"] is False
    assert api.delete(address).status_code == 204


def test_the_config_of_an_unknown_type_cannot_be_changed(api: APIClient, greeter: AgentTool) -> None:
    store(greeter, type="teleport")
    answer = api.patch(f"/api/agent-tools/{greeter.pk}", {"config": {"limit": 4}})
    assert answer.status_code == 400
    assert "teleport" in answer.json()["detail"]


def test_a_broken_config_is_mended_by_naming_what_is_wrong(api: APIClient, greeter: AgentTool) -> None:
    store(greeter, config={"limit": "many", "greeting": "Goodbye", "gone": 1})
    address = f"/api/agent-tools/{greeter.pk}"
    assert api.patch(address, {"config": {"greeting": "Hello"}}).json()["errors"][0]["pointer"] == "/config/limit"
    mended = api.patch(address, {"config": {"limit": 4}})
    assert mended.status_code == 200, mended.content
    assert mended.json()["problem"] is None
    assert mended.json()["config"]["greeting"] == "Goodbye"


def test_a_secret_that_no_key_opens_is_mended_by_setting_it_again(api: APIClient, greeter: AgentTool) -> None:
    store(greeter, config={"token": {"$secret": "not-sealed-by-us"}})
    address = f"/api/agent-tools/{greeter.pk}"
    assert api.patch(address, {"config": {"limit": 4}}).json()["errors"][0]["pointer"] == "/config/token"
    assert api.patch(address, {"config": {"token": "sesame-new"}}).json()["problem"] is None


class TestTheDefinition:
    def test_is_exactly_what_a_model_is_told(self, api: APIClient, greeter: AgentTool) -> None:
        told = api.get(f"/api/agent-tools/{greeter.pk}/definition").json()
        assert set(told) == {"name", "description", "parameters"}
        assert told["name"] == "greeter"
        assert told["description"] == "Greets someone.\n\nSays Hello, 3 times at most."
        assert told["parameters"]["properties"]["times"]["maximum"] == 3

    def test_of_a_broken_config_is_a_conflict_that_names_the_key(self, api: APIClient, greeter: AgentTool) -> None:
        store(greeter, config={"limit": "many"})
        answer = api.get(f"/api/agent-tools/{greeter.pk}/definition")
        assert answer.status_code == 409
        assert answer.json()["errors"][0]["pointer"] == "/config/limit"

    def test_of_an_unknown_type_is_a_500_that_says_so(self, api: APIClient, greeter: AgentTool) -> None:
        store(greeter, type="teleport")
        answer = api.get(f"/api/agent-tools/{greeter.pk}/definition")
        assert answer.status_code == 500
        assert answer.json()["type"].endswith(":unknown_tool_type")

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from agent_tools.models import AgentTool
from tests.fakes.admin_types import SECRETS, ShopConfig
from tests.fakes.browser_forms import Fields, filled_in

FORM = "agenttool_form"


def url_of(tool: AgentTool, page: str = "change") -> str:
    return reverse(f"admin:agent_tools_agenttool_{page}", args=[tool.pk])


def form_of(client: Client, tool: AgentTool) -> Fields:
    return filled_in(client.get(url_of(tool)).content.decode(), FORM)


def save(client: Client, tool: AgentTool, **changes: Any) -> None:
    data = {**form_of(client, tool), **changes}
    response = client.post(url_of(tool), {name: value for name, value in data.items() if value is not None})
    assert response.status_code == 302, response.context["adminform"].form.errors


def secrets_of(tool: AgentTool) -> dict[str, Any]:
    config = AgentTool.objects.get(pk=tool.pk).load_config()
    assert isinstance(config, ShopConfig)
    opened = {name: value.get_secret_value() for name, value in config.headers.items()}
    key = config.limits.key
    return {
        "token": config.token.get_secret_value() if config.token else None,
        "headers": opened,
        "key": key.get_secret_value() if key else None,
    }


@pytest.mark.parametrize("page", ["change", "try", "definition", "history", "delete"])
def test_no_page_holds_a_stored_secret(operator_client: Client, shop: AgentTool, page: str) -> None:
    text = operator_client.get(url_of(shop, page)).content.decode()
    for secret in SECRETS:
        assert secret not in text
    assert str(shop.config["token"]["$secret"]) not in text


def test_saving_keeps_what_is_not_touched(operator_client: Client, shop: AgentTool) -> None:
    save(operator_client, shop, config__count="4")
    assert secrets_of(shop) == {"token": "stored-token", "headers": {"X-Key": "stored-key"}, "key": "stored-limit-key"}


def test_a_secret_is_replaced(operator_client: Client, shop: AgentTool) -> None:
    changes = {"config__token-new": " new token ", "config__headers-0-new": "new-key", "config__limits__key-new": "k"}
    save(operator_client, shop, **changes)
    assert secrets_of(shop) == {"token": " new token ", "headers": {"X-Key": "new-key"}, "key": "k"}


def test_a_secret_is_cleared(operator_client: Client, shop: AgentTool) -> None:
    changes = {"config__token-clear": "on", "config__headers-0-clear": "on", "config__limits__key-clear": "on"}
    save(operator_client, shop, **changes)
    assert secrets_of(shop) == {"token": None, "headers": {}, "key": None}


def test_a_named_secret_is_added(operator_client: Client, shop: AgentTool) -> None:
    changes = {"config__headers-1-key": "X-Other", "config__headers-1-new": "other"}
    save(operator_client, shop, **changes)
    assert secrets_of(shop)["headers"] == {"X-Key": "stored-key", "X-Other": "other"}


@pytest.mark.parametrize(
    ("changes", "field", "error"),
    [
        ({"config__token-new": "x", "config__token-clear": "on"}, "config__token", "Either give a new value or clear"),
        ({"config__headers-1-new": "x"}, "config__headers", "Give the new value a name."),
        ({"config__headers-1-key": "Y"}, "config__headers", "Y needs a value."),
        (
            {"config__headers-1-key": "Y", "config__headers-1-new": "x"}
            | {"config__headers-2-key": "Y", "config__headers-2-new": "y"},
            "config__headers",
            "Y is there twice.",
        ),
    ],
)
def test_contradictions_are_errors(
    operator_client: Client, shop: AgentTool, changes: Fields, field: str, error: str
) -> None:
    response = operator_client.post(url_of(shop), {**form_of(operator_client, shop), **changes})
    assert error in response.context["adminform"].form.errors[field][0]
    shown = filled_in(response.content.decode(), FORM)
    assert {name: shown[name] for name in changes} == changes


def test_json_keeps_replaces_and_clears_too(operator_client: Client, shop: AgentTool) -> None:
    text = form_of(operator_client, shop)["config_json"]
    assert '"token": {\r\n    "$secret": "set"\r\n  }' in text
    save(operator_client, shop, config_mode="json", config_json=text.replace('"count": 3', '"count": 4'))
    assert secrets_of(shop) == {"token": "stored-token", "headers": {"X-Key": "stored-key"}, "key": "stored-limit-key"}
    save(operator_client, shop, config_mode="json", config_json='{"token": null, "headers": {"X-Key": "new"}}')
    assert secrets_of(shop) == {"token": None, "headers": {"X-Key": "new"}, "key": "stored-limit-key"}


def test_without_a_key_in_the_environment_the_form_says_what_to_do(
    operator_client: Client, shop: AgentTool, settings: Any
) -> None:
    data = {**form_of(operator_client, shop), "config__token-new": "typed"}
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "SECRET_KEYS": []}
    response = operator_client.post(url_of(shop), data)
    assert "set TOOL_SECRET_KEYS" in response.content.decode()


def test_a_secret_that_no_key_opens_can_be_set_again(operator_client: Client, shop: AgentTool, settings: Any) -> None:
    from cryptography.fernet import Fernet

    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "SECRET_KEYS": [Fernet.generate_key().decode()]}
    response = operator_client.get(url_of(shop))
    assert "This tool cannot run:" in response.content.decode()
    data = {**filled_in(response.content.decode(), FORM), "config__token-new": "new"}
    errors = operator_client.post(url_of(shop), data).context["adminform"].form.errors
    assert "opens this secret" in str(errors)
    more = {"config__headers-0-clear": "on", "config__limits__key-clear": "on"}
    assert operator_client.post(url_of(shop), {**data, **more}).status_code == 302
    assert secrets_of(shop) == {"token": "new", "headers": {}, "key": None}


def test_the_history_names_fields_and_no_values(operator_client: Client, shop: AgentTool) -> None:
    save(operator_client, shop, **{"config__token-new": "new-token"})
    message = LogEntry.objects.get().get_change_message()
    assert message == "Changed Token."

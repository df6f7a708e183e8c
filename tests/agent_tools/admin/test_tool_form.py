from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from agent_tools.models import AgentTool
from tests.fakes.browser_forms import Fields, filled_in

ADD = "/admin/agent_tools/agenttool/add/?type=shop"
FORM = "agenttool_form"


def change_url(tool: AgentTool) -> str:
    return reverse("admin:agent_tools_agenttool_change", args=[tool.pk])


def form_at(client: Client, url: str) -> Fields:
    response = client.get(url)
    assert response.status_code == 200
    return filled_in(response.content.decode(), FORM)


def errors_of(response: Any) -> dict[str, list[str]]:
    return {name: list(errors) for name, errors in response.context["adminform"].form.errors.items()}


def test_first_the_type_is_chosen(operator_client: Client) -> None:
    response = operator_client.get("/admin/agent_tools/agenttool/add/")
    text = response.content.decode()
    assert "Buys things." in text
    assert 'href="?type=shop"' in text


def test_an_unknown_type_leads_back_to_the_choice(operator_client: Client) -> None:
    text = operator_client.get("/admin/agent_tools/agenttool/add/?type=<b>").content.decode()
    assert "There is no tool type “&lt;b&gt;”." in text
    assert 'href="?type=shop"' in text


def test_a_form_sent_as_it_came_makes_a_tool_with_defaults(operator_client: Client) -> None:
    data = form_at(operator_client, ADD)
    response = operator_client.post(ADD, data)
    assert response.status_code == 302, errors_of(response)
    tool = AgentTool.objects.get()
    assert (tool.slug, tool.type, tool.name) == ("shop", "shop", "Shop")
    assert tool.config == {
        "greeting": "Hello",
        "count": 3,
        "ratio": 0.5,
        "strict": True,
        "maybe": None,
        "mode": "fast",
        "level": 1,
        "days": [],
        "words": ["one"],
        "sizes": [],
        "labels": {},
        "token": None,
        "headers": {},
        "note": None,
        "ceiling": None,
        "parts": [],
        "limits": {"most": 5, "key": None},
    }


def test_every_kind_of_field_is_read(operator_client: Client) -> None:
    typed = {
        "config__greeting": " Hi ",
        "config__count": "4",
        "config__ratio": "0.25",
        "config__maybe": "false",
        "config__mode": "slow",
        "config__level": "2",
        "config__days": ["mon", "tue"],
        "config__words": "a b\r\n\r\n  c \r\n",
        "config__sizes": "1\r\n20",
        "config__labels": "Colour: red: dark\r\nEmpty:",
        "config__note": "one\r\ntwo",
        "config__ceiling": "7",
        "config__parts": '[{"name": "bolt"}]',
        "config__limits__most": "8",
    }
    data = {**form_at(operator_client, ADD), **typed}
    del data["config__strict"]
    response = operator_client.post(ADD, data)
    assert response.status_code == 302, errors_of(response)
    config = AgentTool.objects.get().config
    assert {key: value for key, value in config.items() if key not in {"token", "headers"}} == {
        "greeting": " Hi ",
        "count": 4,
        "ratio": 0.25,
        "strict": False,
        "maybe": False,
        "mode": "slow",
        "level": 2,
        "days": ["mon", "tue"],
        "words": ["a b", "c"],
        "sizes": [1, 20],
        "labels": {"Colour": "red: dark", "Empty": ""},
        "note": "one\ntwo",
        "ceiling": 7,
        "parts": [{"name": "bolt", "size": 1}],
        "limits": {"most": 8, "key": None},
    }
    again = form_at(operator_client, change_url(AgentTool.objects.get()))
    assert sorted(again["config__labels"].split("\r\n")) == ["Colour: red: dark", "Empty: "]


WRONG = {
    "config__count": ("10", "less than or equal to 9"),
    "config__ratio": ("much", "Enter a number"),
    "config__sizes": ("1\r\nx", "Enter a whole number"),
    "config__labels": ("no colon", "Line 1: write it as Name: value."),
    "config__parts": ('[{"size": 1}]', "0.name: is required."),
    "config__limits__most": ("0", "greater than or equal to 1"),
    "config__greeting": ("x" * 41, "at most 40 characters"),
}


def test_errors_stand_beside_their_fields_all_at_once_and_nothing_typed_is_lost(operator_client: Client) -> None:
    typed = {name: text for name, (text, _error) in WRONG.items()}
    secrets = {"config__token-new": "typed-token", "config__headers-0-key": "X", "config__headers-0-new": "typed-key"}
    data = {**form_at(operator_client, ADD), **typed, **secrets, "slug": "two words"}
    response = operator_client.post(ADD, data)
    assert response.status_code == 200
    errors = errors_of(response)
    for name, (_text, error) in WRONG.items():
        assert len(errors[name]) == 1
        assert error in errors[name][0]
    assert set(errors) == {*WRONG, "slug"}
    assert not AgentTool.objects.exists()
    shown = filled_in(response.content.decode(), FORM)
    token = "csrfmiddlewaretoken"
    assert {name: shown[name] for name in data if name != token} == {k: v for k, v in data.items() if k != token}


def test_an_error_of_the_whole_stands_above(operator_client: Client) -> None:
    data = {**form_at(operator_client, ADD), "config__mode": "slow", "config__count": "6"}
    errors = errors_of(operator_client.post(ADD, data))
    assert errors == {"__all__": ["Slow mode takes a count of at most 5."]}


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("{", "This is not valid JSON: line 1, column 2"),
        ("[]", "This must be a JSON object"),
        ('{"count": NaN}', "NaN is no JSON number"),
        ('{"colour": 1}', "colour: there is no such key here; remove it."),
        ('{"limits": {"most": 0}}', "limits.most: Input should be greater than or equal to 1."),
        ("[" * 100_000, "This is not valid JSON"),
    ],
)
def test_json_is_checked_and_kept_as_typed(operator_client: Client, text: str, error: str) -> None:
    data = {**form_at(operator_client, ADD), "config_mode": "json", "config_json": text}
    response = operator_client.post(ADD, data)
    assert error in errors_of(response)["config_json"][0]
    assert filled_in(response.content.decode(), FORM)["config_json"] == text


def test_only_the_chosen_view_counts(operator_client: Client) -> None:
    data = {**form_at(operator_client, ADD), "config__count": "nonsense", "config_mode": "json"}
    data["config_json"] = json.dumps({"count": 7, "token": "typed-token"})
    response = operator_client.post(ADD, data)
    assert response.status_code == 302, errors_of(response)
    assert AgentTool.objects.get().config["count"] == 7

    other = {**data, "slug": "other", "config_mode": "form", "config__count": "2", "config_json": "{"}
    assert operator_client.post(ADD, other).status_code == 302
    assert AgentTool.objects.get(slug="other").config["count"] == 2


def test_the_type_stays(operator_client: Client, shop: AgentTool) -> None:
    data = {**form_at(operator_client, change_url(shop)), "type": "mute", "config__count": "4"}
    assert operator_client.post(change_url(shop) + "?type=mute", data).status_code == 302
    shop.refresh_from_db()
    assert shop.type == "shop"


def test_sending_a_form_as_it_came_changes_nothing(operator_client: Client, shop: AgentTool) -> None:
    before = dict(shop.config)
    assert operator_client.post(change_url(shop), form_at(operator_client, change_url(shop))).status_code == 302
    shop.refresh_from_db()
    assert shop.config == before


def test_help_texts_are_escaped(operator_client: Client) -> None:
    text = operator_client.get(ADD).content.decode()
    assert "&lt;b&gt;Anything&lt;/b&gt; at all." in text
    assert "<b>Anything" not in text

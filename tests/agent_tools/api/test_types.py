"""The tool types tell what their tools can be set to and what they take."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from rest_framework.test import APIClient

from agent_tools.registry import registry


def types(api: APIClient) -> dict[str, Any]:
    return {kind["type"]: kind for kind in api.get("/api/tool-types").json()}


def test_every_type_of_the_catalogue_is_listed(api: APIClient) -> None:
    assert list(types(api)) == registry.types()


def test_a_type_tells_its_schemas_defaults_and_flags(api: APIClient) -> None:
    kind = types(api)["greeter"]
    assert kind == api.get("/api/tool-types/greeter").json()
    assert kind["title"] == "Greeter"
    assert kind["problem"] is None
    Draft202012Validator.check_schema(kind["config_schema"])
    Draft202012Validator.check_schema(kind["input_schema"])
    assert kind["config_schema"]["properties"]["limit"]["description"] == "How many greetings at most."
    assert kind["config_defaults"] == {"greeting": "Hello", "limit": 3, "token": None, "headers": {}}
    assert kind["input_schema"]["properties"]["times"]["maximum"] == 3
    assert kind["flags"] == {
        "enabled_by_default": False,
        "interrupt": "cancel",
        "causes_sibling_abort": False,
        "pollable": False,
        "background": False,
        "max_output_chars": 4000,
    }


def test_a_type_that_cannot_be_loaded_does_not_take_the_list_with_it(api: APIClient) -> None:
    kind = types(api)["lost"]
    assert "cannot be loaded" in kind["problem"]
    assert kind["config_schema"] is None
    assert api.get("/api/tool-types/lost").status_code == 500


def test_an_unknown_type_is_a_404_naming_the_known_ones(api: APIClient) -> None:
    answer = api.get("/api/tool-types/teleport")
    assert answer.status_code == 404
    assert "greeter" in answer.json()["detail"]


def test_the_input_schema_follows_the_config_and_nothing_is_saved(api: APIClient) -> None:
    answer = api.post("/api/tool-types/greeter/input-schema", {"config": {"limit": 7, "token": "sesame-new"}})
    assert answer.status_code == 200
    assert answer.json()["input_schema"]["properties"]["times"]["maximum"] == 7
    assert answer.json()["description"] == "Says Hello, 7 times at most."
    assert b"sesame-new" not in answer.content


def test_the_input_schema_without_a_config_is_that_of_the_defaults(api: APIClient) -> None:
    shown = api.get("/api/tool-types/greeter").json()["input_schema"]
    assert api.post("/api/tool-types/greeter/input-schema").json()["input_schema"] == shown


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"config": {"limit": 99}}, "/config/limit"),
        ({"config": {"colour": "red"}}, "/config/colour"),
        ({"config": 5}, "/config"),
        ({"conf": {}}, "/conf"),
        ([], ""),
    ],
)
def test_a_wrong_config_is_refused_by_key(api: APIClient, body: object, pointer: str) -> None:
    answer = api.post("/api/tool-types/greeter/input-schema", body)
    assert answer.status_code == 400
    assert [finding["pointer"] for finding in answer.json()["errors"]] == [pointer]


def test_types_are_for_reading(api: APIClient) -> None:
    assert api.delete("/api/tool-types/greeter").status_code == 405
    assert api.post("/api/tool-types", {}).status_code == 405

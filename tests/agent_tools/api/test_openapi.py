"""The OpenAPI document is complete and says what the API does."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
import yaml
from django.core.management import call_command
from rest_framework.test import APIClient


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The document as the command writes it, refused on any warning."""
    from tests.fakes.api_types import known_types

    out = StringIO()
    with known_types():
        call_command("spectacular", validate=True, fail_on_warn=True, stdout=out)
    loaded: dict[str, Any] = yaml.safe_load(out.getvalue())
    return loaded


def test_every_address_is_there_once_without_its_slash(document: dict[str, Any]) -> None:
    assert {path: set(methods) for path, methods in document["paths"].items()} == {
        "/api/agent-tools": {"get", "post"},
        "/api/agent-tools/{id}": {"get", "put", "patch", "delete"},
        "/api/agent-tools/{id}/execute": {"post"},
        "/api/agent-tools/{id}/definition": {"get"},
        "/api/tool-types": {"get"},
        "/api/tool-types/{type}": {"get"},
        "/api/tool-types/{type}/input-schema": {"post"},
        "/api/tool-logs": {"get"},
        "/api/tool-logs/{id}": {"get"},
    }


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for methods in document["paths"].values() for operation in methods.values()]


def test_every_operation_names_its_problems_and_its_way_in(document: dict[str, Any]) -> None:
    for operation in operations(document):
        assert operation["security"] == [{"token": []}, {"cookieAuth": []}]
        for status in ("401", "403", "429"):
            content = operation["responses"][status]["content"]
            assert content["application/problem+json"]["schema"]["$ref"].endswith("/Problem")
        if "requestBody" in operation:
            assert set(operation["requestBody"]["content"]) == {"application/json"}
            assert {"400", "413", "415"} <= set(operation["responses"])


def test_running_a_tool_is_typed(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert set(schemas["ExecuteRequest"]["properties"]) == {"input"}
    assert set(schemas["ExecuteResponse"]["properties"]) == {"success", "data", "error", "metadata"}
    assert "call_id" in schemas["ExecuteResponse"]["properties"]["metadata"]["properties"]


def test_a_config_is_an_object_described_type_by_type(document: dict[str, Any]) -> None:
    for name in ("Tool", "ToolUpdate", "PatchedToolUpdate"):
        config = document["components"]["schemas"][name]["properties"]["config"]
        assert config["type"] == "object"
        assert "`greeter`: `greeting` The first word" in config["description"]
        assert "`lost`: Tool type 'lost' cannot be loaded" in config["description"]


def test_the_log_list_names_its_parameters(document: dict[str, Any]) -> None:
    named = {parameter["name"] for parameter in document["paths"]["/api/tool-logs"]["get"]["parameters"]}
    assert named == {"tool", "status", "user", "session", "door", "from", "to", "full", "cursor", "page_size"}


def test_the_document_is_served(api: APIClient) -> None:
    answer = api.get("/api/schema")
    assert answer.status_code == 200
    assert yaml.safe_load(answer.content)["openapi"].startswith("3.")
    assert api.get("/api/schema", headers={"accept": "application/json"}).json()["openapi"].startswith("3.")


def test_a_refusal_of_the_document_is_a_problem_too(db: None) -> None:
    answer = APIClient().get("/api/schema")
    assert answer.status_code == 401
    assert answer["Content-Type"] == "application/problem+json"

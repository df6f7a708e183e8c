"""Bodies that mean harm, or nothing, are refused with the reason and the place."""

from __future__ import annotations

import json

import pytest
from rest_framework.test import APIClient

from agent_tools.api.parsers import MAX_BYTES, MAX_DEPTH
from agent_tools.models import AgentTool, AgentToolLog
from tests.fakes.api_client import send


def deep(levels: int) -> str:
    return '{"input": {"name": ' + "[" * levels + "]" * levels + "}}"


MALFORMED = [
    (b"{", "line 1"),
    (b'{"input": {"name": "you",}}', "column"),
    (b'{"input": \n  nonsense}', "line 2, column 3"),
    (b"input=5", "line 1"),
    (b'{"input": {}} {}', "Extra data"),
    (b"\xff\xfe{}", "UTF-8"),
    ('{"input": {"name": "é"}}'.encode("latin-1"), "UTF-8"),
    (b'{"input": {"name": NaN}}', "/input/name"),
    (b'{"input": {"name": Infinity}}', "/input/name"),
    (b'{"input": {"name": -Infinity}}', "/input/name"),
    (b'{"input": {"name": 1e999}}', "/input/name"),
    (b'{"input": {"name": [0, -1e999]}}', "/input/name/1"),
    (b'{"input": {"name": %d}}' % 2**63, "/input/name"),
    (b'{"input": {"name": -%d}}' % (2**63 + 1), "/input/name"),
    (b'{"input": {"name": ' + b"9" * 5000 + b"}}", "digits"),
    (b'{"input": {"name": "a\\u0000b"}}', "/input/name"),
    (b'{"input": {"na\\u0000me": "a"}}', "/input"),
    (b'{"input": {"name": "\\ud800"}}', "/input/name"),
    (b'{"input": {"\\udfff": "a"}}', "/input"),
    (b'{"input": {"a~b/c": "\\ud800x"}}', "/input/a~0b~1c"),
    (b'{"input": {}, "input": {"name": "you"}}', "'input' stands twice"),
    (b'{"input": {"name": "a", "name": "b"}}', "'name' stands twice"),
    (deep(MAX_DEPTH).encode(), "deeper"),
    (deep(100_000).encode(), "deeper"),
    (("[" * 500_000).encode(), "deeper"),
    (('{"a":' * 100_000).encode(), "deeper"),
    (b"[]", "must be a JSON object"),
    (b"null", "must be a JSON object"),
    (b'"text"', "must be a JSON object"),
]


@pytest.mark.parametrize(("body", "told"), MALFORMED, ids=range(len(MALFORMED)))
@pytest.mark.parametrize("place", ["execute", "create", "put", "input-schema"])
def test_a_body_that_cannot_be_read_is_a_400_that_says_where(
    api: APIClient, greeter: AgentTool, body: bytes, told: str, place: str
) -> None:
    method, address = {
        "execute": ("POST", f"/api/agent-tools/{greeter.pk}/execute"),
        "create": ("POST", "/api/agent-tools"),
        "put": ("PUT", f"/api/agent-tools/{greeter.pk}"),
        "input-schema": ("POST", "/api/tool-types/greeter/input-schema"),
    }[place]
    answer = send(api, method, address, body)
    assert answer.status_code == 400, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert told in answer.content.decode()
    assert not AgentToolLog.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "value", ['"\\ud83d\\ude00"', "9223372036854775807", "1e308", '"\\u0001"', deep(8)[10:-1], '"\\uffff"', "1E-400"]
)
def test_odd_values_that_are_good_json_are_judged_by_the_tool(api: APIClient, greeter: AgentTool, value: str) -> None:
    body = f'{{"input": {{"name": "you", "url": "u", "times": {value}}}}}'
    answer = send(api, "POST", f"/api/agent-tools/{greeter.pk}/execute", body)
    assert answer.status_code == 200, answer.content
    assert answer.json()["success"] is False


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json; charset=utf-8", "APPLICATION/JSON; charset=latin-1"]
)
def test_json_is_utf_8_whatever_its_label_says(api: APIClient, greeter: AgentTool, content_type: str) -> None:
    body = json.dumps({"input": {"name": "José 😀", "url": "u"}}, ensure_ascii=False).encode()
    answer = send(api, "POST", f"/api/agent-tools/{greeter.pk}/execute", body, content_type)
    assert answer.json()["data"]["greetings"] == ["Hello, José 😀!"]


def test_a_byte_order_mark_is_overlooked(api: APIClient) -> None:
    body = b"\xef\xbb\xbf" + json.dumps({"config": {"limit": 5}}).encode()
    assert send(api, "POST", "/api/tool-types/greeter/input-schema", body).status_code == 200


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "application/json5",
        "nonsense",
        "application/" + "x" * 1000,
        "",
    ],
)
def test_another_media_type_is_a_415(api: APIClient, greeter: AgentTool, content_type: str) -> None:
    answer = send(api, "POST", f"/api/agent-tools/{greeter.pk}/execute", b'{"input": {}}', content_type)
    assert answer.status_code == 415
    assert answer.json()["type"] == "urn:agent-tools:problem:unsupported_media_type"


def test_a_form_of_a_browser_is_a_415(api: APIClient, greeter: AgentTool) -> None:
    answer = api.post(f"/api/agent-tools/{greeter.pk}/execute", {"input": "x"}, format="multipart")
    assert answer.status_code == 415


@pytest.mark.parametrize("size", [MAX_BYTES + 1, 10 * 1024 * 1024])
def test_a_body_that_is_too_large_is_a_413(api: APIClient, greeter: AgentTool, size: int) -> None:
    body = b'{"input": {"name": "' + b"x" * size + b'"}}'
    answer = send(api, "POST", f"/api/agent-tools/{greeter.pk}/execute", body)
    assert answer.status_code == 413
    assert answer.json()["type"] == "urn:agent-tools:problem:body_too_large"
    assert f"{MAX_BYTES:,}" in answer.json()["detail"]


@pytest.mark.parametrize(
    "fields",
    [
        {"name": ["a"]},
        {"name": {"a": 1}},
        {"name": None},
        {"name": ""},
        {"name": "   "},
        {"slug": "é"},
        {"slug": "a\nb"},
        {"slug": "x" * 51},
        {"description": ""},
        {"description": []},
        {"type": []},
        {"type": {}},
        {"type": None},
        {"type": "x" * 10_000},
        {"enabled": "perhaps"},
        {"enabled": []},
        {"enabled": None},
        {"enabled": {}},
        {"sort_order": 2**31},
        {"sort_order": -(2**31) - 1},
        {"sort_order": 1.5},
        {"sort_order": "many"},
        {"sort_order": []},
        {"sort_order": None},
        {"config": {"limit": 2**62}},
        {"config": {"limit": 1e300}},
        {"config": {"headers": {"X": {"$secret": "set", "more": 1}}}},
        {"config": {"token": {"$secret": "forged"}}},
        {"config": {"$secret": "set"}},
    ],
)
def test_a_wrong_field_is_a_400_at_its_place(api: APIClient, fields: dict[str, object]) -> None:
    body = {"name": "n", "slug": "n", "description": "d", "type": "greeter", **fields}
    answer = api.post("/api/agent-tools", body)
    assert answer.status_code == 400, answer.content
    for finding in answer.json()["errors"]:
        assert finding["pointer"].split("/")[1] in fields
        assert finding["detail"]
    assert not AgentTool.objects.exists()

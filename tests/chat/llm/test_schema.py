from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, Field

from chat.llm.schema import dropped_keywords, plain, whole
from tests.fakes.strict_provider import Strict, complain


class Inner(BaseModel):
    name: str | None = None
    kind: str = Field("a", pattern="^a")


class Arguments(BaseModel):
    count: int = Field(gt=0, le=9, description="How many.")
    inner: Inner
    many: list[Inner] = []
    either: int | str = 3
    pairs: dict[str, int] = {}


def test_a_schema_of_pydantic_becomes_one_that_the_strictest_server_reads() -> None:
    schema = plain(Arguments.model_json_schema())
    assert schema["properties"]["count"] == {"description": "How many.", "type": "integer"}
    assert schema["properties"]["inner"]["properties"] == {"name": {"type": "string"}, "kind": {"type": "string"}}
    assert schema["properties"]["many"]["items"]["type"] == "object"
    assert schema["required"] == ["count", "inner"]
    body = {
        "messages": [{"role": "user", "content": "x"}],
        "tools": [{"function": {"name": "f", "parameters": schema}}],
    }
    strict = Strict(schema_keywords=frozenset({"type", "description", "enum", "properties", "required", "items"}))
    assert complain(body, strict) is None


@pytest.mark.parametrize(
    ("keyword", "told"),
    [
        ({"type": "integer", "exclusiveMinimum": 0}, {"type": "integer"}),
        ({"type": ["string", "null"]}, {"type": "string"}),
        ({"type": ["null"]}, {"type": "string"}),
        ({"const": 3}, {"type": "integer", "enum": [3]}),
        ({"const": True}, {"type": "boolean", "enum": [True]}),
        ({"enum": ["a", None]}, {"type": "string", "enum": ["a"]}),
        ({"enum": [1.5]}, {"type": "number", "enum": [1.5]}),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}], "title": "T"}, {"type": "integer"}),
        ({"oneOf": [{"type": "null"}]}, {"type": "string"}),
        ({"type": "array"}, {"type": "array", "items": {"type": "string"}}),
        ({"items": {"type": "integer"}}, {"type": "array", "items": {"type": "integer"}}),
        ({"type": "array", "items": True}, {"type": "array", "items": {"type": "string"}}),
        ({"type": "object", "additionalProperties": False}, {"type": "object", "properties": {}}),
        ({"type": "string", "format": "uri", "default": "x", "title": "T"}, {"type": "string"}),
        ({"$ref": "#/$defs/A"}, {"type": "object", "properties": {"next": {"type": "object", "properties": {}}}}),
        ({"$ref": "#/$defs/B", "description": "d"}, {"type": "integer", "description": "d"}),
        ({"$ref": "#/$defs/Gone"}, {"type": "string"}),
        ({"anyOf": [{"$ref": "#/$defs/B"}, {"type": "null"}]}, {"type": "integer"}),
        (
            {"allOf": [{"properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"$ref": "#/$defs/C"}]},
            {"type": "object", "properties": {"a": {"type": "integer"}, "c": {"type": "string"}}, "required": ["a"]},
        ),
        ({}, {"type": "string"}),
    ],
)  # fmt: skip
def test_each_keyword_beyond_the_plain_ones_is_resolved_or_dropped(
    keyword: dict[str, Any], told: dict[str, Any]
) -> None:
    root = {
        "type": "object",
        "properties": {"x": keyword},
        "$defs": {
            "A": {"type": "object", "properties": {"next": {"$ref": "#/$defs/A"}}},
            "B": {"type": "integer", "maximum": 3},
            "C": {"properties": {"c": {"type": "string", "minLength": 1}}},
        },
    }
    reduced = plain(root)["properties"]["x"]
    if set(reduced.get("properties", {})) == {"a", "c"}:
        reduced["properties"] = dict(sorted(reduced["properties"].items()))
    assert reduced == told


def test_a_property_may_be_called_like_a_keyword() -> None:
    schema = {
        "type": "object",
        "properties": {"type": {"type": "string"}, "const": {"type": "integer"}},
        "required": ["const", "gone"],
    }
    assert plain(schema) == {**schema, "required": ["const"]}
    assert dropped_keywords(schema) == ()


def test_a_schema_without_end_is_cut_off() -> None:
    endless: dict[str, Any] = {"type": "object"}
    endless["properties"] = {"again": endless}
    assert plain(endless)["type"] == "object"


def test_the_keywords_that_are_dropped_can_be_told_to_an_operator() -> None:
    told = dropped_keywords(Arguments.model_json_schema())
    assert {"$defs", "$ref", "anyOf", "exclusiveMinimum", "maximum", "pattern", "additionalProperties"} <= set(told)
    assert dropped_keywords({"type": ["string", "null"], "default": {"oneOf": 1}}) == ("default", "type: string | null")


def test_the_whole_schema_keeps_everything_and_has_what_nobody_does_without() -> None:
    assert whole({}) == {"type": "object", "properties": {}}
    assert whole({"type": "object", "properties": {"a": {}}, "$defs": {}}) == {
        "type": "object",
        "properties": {"a": {}},
        "$defs": {},
    }

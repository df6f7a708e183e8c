"""Made-up values fit the schema they are made from."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, Field

from agent_tools.api.examples import example_of
from agent_tools.contract.schemas import Schema


class Colour(Enum):
    RED = "red"


class Inner(BaseModel):
    name: str
    note: str = "unused"


class Everything(BaseModel):
    text: str
    url: str
    long: Annotated[str, Field(min_length=40)]
    short: Annotated[str, Field(max_length=3)]
    count: int
    bounded: Annotated[int, Field(ge=5, le=9)]
    above: Annotated[int, Field(gt=5)]
    low: Annotated[float, Field(le=-2)]
    switch: bool
    choice: Literal["b", "a"]
    constant: Literal["only"]
    colour: Colour
    maybe: str | None
    inner: Inner
    inners: Annotated[list[Inner], Field(min_length=2)]
    free: list[str]
    table: dict[str, int]
    either: int | str
    given: Annotated[str, Field(examples=["as given"])]
    optional: int = 5


def test_every_kind_of_field_gets_a_value_that_fits() -> None:
    schema = Everything.model_json_schema()
    value = example_of(schema)
    Draft202012Validator(schema).validate(value)
    assert "optional" not in value
    assert value["url"] == "https://example.org/"
    assert value["given"] == "as given"
    assert value["inner"] == {"name": "example"}


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object"},
        {"properties": {"a": {"type": "string"}}, "required": ["a"]},
        {"type": "object", "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": ["null", "integer"]}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": "string", "format": "date-time"}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"enum": [3, 4]}}, "required": ["a"]},
        {"type": "object", "properties": {"a": True}, "required": ["a"]},
    ],
)
def test_schemas_by_hand_work_too(schema: Schema) -> None:
    Draft202012Validator(schema).validate(example_of(schema))


def test_a_schema_that_needs_itself_ends() -> None:
    looped: dict[str, Any] = {"type": "object", "properties": {"a": {"$ref": "#/$defs/L"}}, "required": ["a"]}
    assert example_of({**looped, "$defs": {"L": looped}})

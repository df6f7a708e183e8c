"""Makes up a small valid value for a JSON Schema, so that a form opens with something that works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agent_tools.contract.schemas import Schema, child_schema, union_branch

DEEPEST = 12
TEXT = "example"
BY_FORMAT: Mapping[str, str] = {
    "uri": "https://example.org/",
    "email": "person@example.org",
    "date": "2030-01-01",
    "date-time": "2030-01-01T00:00:00Z",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
FORMAT_OF_NAME: Mapping[str, str] = {"url": "uri", "uri": "uri", "link": "uri", "email": "email"}


def example_of(schema: Schema) -> Any:
    """Return a value that fits: the required keys alone, each by its example, default, choice, format or bounds."""
    return _example(schema, schema, "", 0)


def _example(root: Schema, schema: Schema, name: str, depth: int) -> Any:
    schema = union_branch(root, schema)
    if depth > DEEPEST:
        return None
    for value in _given(schema):
        return value
    match _kind(schema):
        case "object":
            required = schema.get("required", ())
            return {key: _example(root, child_schema(schema, key), key, depth + 1) for key in required}
        case "array":
            items = schema.get("items", {})
            return [_example(root, items, name, depth + 1) for _ in range(schema.get("minItems", 0))]
        case "integer" | "number":
            return _number(schema)
        case "boolean":
            return False
        case "string":
            return _text(schema, name)
    return None


def _given(schema: Schema) -> Iterator[Any]:
    yield from schema.get("examples", ())
    yield from (schema[word] for word in ("default", "const") if word in schema)
    yield from schema.get("enum", ())


def _kind(schema: Schema) -> str:
    kind = schema.get("type", "object" if "properties" in schema else "")
    if isinstance(kind, list):
        return next((one for one in kind if one != "null"), "null")
    return str(kind)


def _number(schema: Schema) -> Any:
    if "minimum" in schema:
        return schema["minimum"]
    if "exclusiveMinimum" in schema:
        return schema["exclusiveMinimum"] + 1
    return min(1, schema.get("maximum", 1))


def _text(schema: Schema, name: str) -> str:
    text = BY_FORMAT.get(schema.get("format") or FORMAT_OF_NAME.get(name, ""), TEXT)
    text = text.ljust(schema.get("minLength", 0), "x")
    return text[: schema["maxLength"]] if "maxLength" in schema else text

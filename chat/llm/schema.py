"""Reduces a JSON Schema to what every provider reads. The whole schema stays the one that arguments are judged by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_PLAIN = frozenset({"type", "description", "enum", "properties", "required", "items"})
_MAX_DEPTH = 24


def plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema in six keywords: references and unions resolved, constants as enums, all else dropped."""
    return _reduce(schema, schema, ())


def dropped_keywords(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keywords that `plain` drops or rewrites, for telling an operator."""
    return tuple(sorted(set(_keywords(schema)) - _PLAIN))


def whole(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema as it is, with the two keys that no provider does without."""
    return {"type": "object", "properties": {}, **schema}


def _reduce(schema: object, root: Mapping[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(schema, Mapping) or len(path) > _MAX_DEPTH:
        return {"type": "string"} if isinstance(schema, bool) else {"type": "object", "properties": {}}
    reference = schema.get("$ref")
    if isinstance(reference, str):
        if reference in path:
            return {"type": "object", "properties": {}}
        return _reduce({**_target(reference, root), **_without(schema, "$ref")}, root, (*path, reference))
    schema = _branch(_merged(schema, root), root)
    if isinstance(schema.get("$ref"), str):
        return _reduce(schema, root, (*path, ""))
    reduced = {key: value for key, value in schema.items() if key in _PLAIN}
    reduced["type"] = _type(schema)
    if "const" in schema:
        reduced["enum"] = [schema["const"]]
    if isinstance(reduced.get("enum"), list):
        reduced["enum"] = [value for value in reduced["enum"] if value is not None]
    return _with_parts(reduced, root, path)


def _with_parts(reduced: dict[str, Any], root: Mapping[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    properties = reduced.pop("properties", None)
    required = reduced.pop("required", None)
    items = reduced.pop("items", None)
    if reduced["type"] == "object":
        parts = properties if isinstance(properties, Mapping) else {}
        reduced["properties"] = {name: _reduce(part, root, (*path, "")) for name, part in parts.items()}
        wanted = [name for name in required if name in parts] if isinstance(required, list) else []
        if wanted:
            reduced["required"] = wanted
    if reduced["type"] == "array":
        reduced["items"] = _reduce(items, root, (*path, "")) if items is not None else {"type": "string"}
    return reduced


def _merged(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Fold `allOf` into the schema that holds it."""
    parts = schema.get("allOf")
    if not isinstance(parts, list):
        return schema
    merged: dict[str, Any] = _without(schema, "allOf")
    for part in parts:
        if not isinstance(part, Mapping):
            continue
        reference = part.get("$ref")
        found = {**_target(reference, root), **part} if isinstance(reference, str) else part
        properties = {**found.get("properties", {}), **merged.get("properties", {})}
        required = [*merged.get("required", []), *found.get("required", [])]
        merged = {**_without(found, "$ref"), **merged}
        merged |= {"properties": properties} if properties else {}
        merged |= {"required": list(dict.fromkeys(required))} if required else {}
    return merged


def _branch(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the first alternative that is not null; what stands beside the union goes before it."""
    for word in ("anyOf", "oneOf"):
        options = schema.get(word)
        if not isinstance(options, list):
            continue
        real = [option for option in options if isinstance(option, Mapping) and option.get("type") != "null"]
        return {**(real[0] if real else {"type": "string"}), **_without(schema, word)}
    return schema


def _type(schema: Mapping[str, Any]) -> str:
    told = schema.get("type")
    if isinstance(told, list):
        told = next((one for one in told if one != "null"), None)
    if isinstance(told, str):
        return told
    if "properties" in schema:
        return "object"
    if "items" in schema:
        return "array"
    values = [schema["const"]] if "const" in schema else schema.get("enum") or [""]
    return _type_of(values[0])


def _type_of(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    return "number" if isinstance(value, float) else "string"


def _target(reference: str, root: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Any = root
    for part in reference.removeprefix("#/").split("/"):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _without(schema: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name != key}


def _keywords(schema: object) -> Iterable[str]:
    if isinstance(schema, list):
        for part in schema:
            yield from _keywords(part)
    if not isinstance(schema, Mapping):
        return
    for key, value in schema.items():
        yield f"type: {' | '.join(map(str, value))}" if key == "type" and isinstance(value, list) else key
        if key in {"properties", "$defs", "definitions"} and isinstance(value, Mapping):
            for part in value.values():
                yield from _keywords(part)
        elif key not in {"enum", "const", "default", "examples", "required"}:
            yield from _keywords(value)

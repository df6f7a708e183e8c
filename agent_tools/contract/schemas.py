"""Walks a JSON Schema beside the value it describes; for finding the secrets in a configuration."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, Literal, TypeAlias

Schema: TypeAlias = Mapping[str, Any]
Path: TypeAlias = tuple[str | int, ...]


class _Missing(Enum):
    MISSING = "missing"


Missing: TypeAlias = Literal[_Missing.MISSING]
MISSING: Final = _Missing.MISSING


def resolve(root: Schema, schema: Schema) -> Schema:
    """Follow local `$ref`s (JSON Schema 2020-12, `#/$defs/Name`)."""
    while "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        schema = root.get("$defs", {}).get(name, {})
    return schema


def union_branch(root: Schema, schema: Schema) -> Schema:
    """Return the schema itself, or the branch of an optional value that is not null."""
    schema = resolve(root, schema)
    for word in ("anyOf", "oneOf"):
        branches = [resolve(root, branch) for branch in schema.get(word, ())]
        found = [branch for branch in branches if branch.get("type") != "null"]
        if found:
            return found[0]
    return schema


def is_secret(schema: Schema) -> bool:
    """Tell whether the schema describes a write-only value, as pydantic marks a `SecretStr`."""
    return bool(schema.get("writeOnly"))


def child_schema(schema: Schema, key: object) -> Schema:
    """Return the schema of one key of an object; empty where it says nothing."""
    child = schema.get("properties", {}).get(key, schema.get("additionalProperties", {}))
    return child if isinstance(child, Mapping) else {}


def holds_secret(root: Schema, schema: Schema, seen: frozenset[int] = frozenset()) -> bool:
    """Tell whether a secret can stand anywhere below the schema."""
    schema = union_branch(root, schema)
    if id(schema) in seen:
        return False
    if is_secret(schema):
        return True
    below = [*schema.get("properties", {}).values(), schema.get("additionalProperties"), schema.get("items")]
    return any(holds_secret(root, part, seen | {id(schema)}) for part in below if isinstance(part, Mapping))


def secret_keys(root: Schema, schema: Schema, stored: object) -> list[str]:
    """Return the keys of a stored object below which a secret can stand."""
    if not isinstance(stored, Mapping):
        return []
    return [key for key in stored if holds_secret(root, child_schema(schema, key))]

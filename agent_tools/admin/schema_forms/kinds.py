"""Which form field a JSON Schema (2020-12, as pydantic writes it) asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from agent_tools.admin import json_text
from agent_tools.contract.schemas import MISSING, Schema, is_secret, resolve


class Kind(StrEnum):
    """The fields there are; `JSON` fits everything else."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    SWITCH = "switch"
    CHOICE = "choice"
    CHOICES = "choices"
    LINES = "lines"
    PAIRS = "pairs"
    SECRET = "secret"  # noqa: S105 - a kind of field
    SECRETS = "secrets"
    GROUP = "group"
    MIXED = "mixed"
    JSON = "json"


SCALARS = {"string": Kind.TEXT, "integer": Kind.INTEGER, "number": Kind.NUMBER, "boolean": Kind.SWITCH}
LINE_ITEMS = ("string", "integer", "number")


@dataclass(frozen=True, slots=True)
class Shape:
    """A value's schema without null: its branches (one, but for a union), and whether null is one of them."""

    branches: tuple[Schema, ...]
    nullable: bool

    @property
    def schema(self) -> Schema:
        return self.branches[0] if self.branches else {}


def shape_of(root: Schema, schema: Schema) -> Shape:
    """Take references and unions apart."""
    found: list[Schema] = []
    pending: list[Schema] = [schema]
    while pending:
        branch = resolve(root, pending.pop(0))
        inner = [*branch.get("anyOf", ()), *branch.get("oneOf", ())]
        if inner:
            pending[:0] = inner
        elif len(branch.get("allOf", ())) == 1:
            pending.insert(0, branch["allOf"][0])
        elif isinstance(branch.get("type"), list):
            pending[:0] = [{**branch, "type": name} for name in branch["type"]]
        else:
            found.append(branch)
    values = tuple(branch for branch in found if branch.get("type") != "null")
    return Shape(values, nullable=len(values) < len(found))


def allowed_values(shape: Shape) -> list[Any] | None:
    """Return the closed set of values, or none where the set is open; null is left to `nullable`."""
    found: list[Any] = []
    for branch in shape.branches:
        if "enum" in branch:
            found.extend(branch["enum"])
        elif "const" in branch:
            found.append(branch["const"])
        elif branch.get("type") == "boolean" and (shape.nullable or len(shape.branches) > 1):
            found.extend([True, False])
        else:
            return None
    return [value for value in found if value is not None]


def kind_of(root: Schema, shape: Shape, value: Any = MISSING) -> Kind:
    """Return the field for a value of this shape, which holds `value` now: one that shows it without loss."""
    kind = _kind(root, shape)
    return kind if value is MISSING or value is None or _shows(kind, shape, value) else Kind.JSON


def _kind(root: Schema, shape: Shape) -> Kind:
    if any(is_secret(branch) for branch in shape.branches):
        return Kind.SECRET
    if allowed_values(shape):
        return Kind.CHOICE
    if len(shape.branches) > 1:
        types = {branch.get("type") for branch in shape.branches}
        return Kind.NUMBER if types == {"integer", "number"} else Kind.MIXED if "string" in types else Kind.JSON
    schema = shape.schema
    match schema.get("type"):
        case "array":
            return _array(root, schema)
        case "object":
            return _object(root, schema, nullable=shape.nullable)
        case str(name):
            return SCALARS.get(name, Kind.JSON)
        case _:
            return Kind.JSON


def _array(root: Schema, schema: Schema) -> Kind:
    items = schema.get("items")
    if not isinstance(items, Mapping) or "prefixItems" in schema:
        return Kind.JSON
    item = shape_of(root, items)
    if item.nullable or any(is_secret(branch) for branch in item.branches):
        return Kind.JSON
    if allowed_values(item):
        return Kind.CHOICES
    return Kind.LINES if len(item.branches) == 1 and item.schema.get("type") in LINE_ITEMS else Kind.JSON


def _object(root: Schema, schema: Schema, *, nullable: bool) -> Kind:
    if schema.get("properties"):
        return Kind.JSON if nullable else Kind.GROUP
    values = schema.get("additionalProperties")
    if not isinstance(values, Mapping):
        return Kind.JSON
    value = shape_of(root, values)
    if len(value.branches) != 1 or value.nullable:
        return Kind.JSON
    if is_secret(value.schema):
        return Kind.SECRETS
    closed = "enum" in value.schema or "const" in value.schema
    return Kind.PAIRS if value.schema.get("type") == "string" and not closed else Kind.JSON


def other_types(shape: Shape) -> frozenset[str]:
    """Return the JSON types of a union beside text."""
    return frozenset(str(branch.get("type")) for branch in shape.branches) - {"string"}


def mixed_value(text: str, types: frozenset[str]) -> Any:
    """Return the value that a text stands for where one of these types is allowed too: itself, unless it is their
    JSON.
    """
    try:
        value = json_text.parse(text)
    except json_text.JSONTextError:
        return text
    return value if _type_names(value) & types else text


TYPE_NAMES = {
    bool: {"boolean"},
    int: {"integer", "number"},
    float: {"number"},
    str: {"string"},
    list: {"array"},
    dict: {"object"},
}


def _type_names(value: object) -> set[str]:
    return TYPE_NAMES.get(type(value), {"null"})


def _shows(kind: Kind, shape: Shape, value: Any) -> bool:
    match kind:
        case Kind.TEXT:
            return isinstance(value, str)
        case Kind.SWITCH:
            return isinstance(value, bool)
        case Kind.LINES:
            return isinstance(value, list) and all(_fits_a_line(item) for item in value)
        case Kind.PAIRS:
            return isinstance(value, Mapping) and all(_fits_a_pair(key, item) for key, item in value.items())
        case Kind.CHOICES:
            return isinstance(value, list)
        case Kind.MIXED if isinstance(value, str):
            return bool(mixed_value(value, other_types(shape)) == value)
        case Kind.SECRETS | Kind.GROUP:
            return isinstance(value, Mapping)
        case _:
            return True


def _fits_a_line(item: Any) -> bool:
    if isinstance(item, str):
        return bool(item) and item == item.strip() and len(item.splitlines()) == 1
    return isinstance(item, int | float) and not isinstance(item, bool)


def _fits_a_pair(name: str, value: Any) -> bool:
    one_line = isinstance(value, str) and value == value.strip() and len(value.splitlines()) <= 1
    return one_line and _fits_a_line(name) and ":" not in name

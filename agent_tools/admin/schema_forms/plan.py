"""The plan of a form: a schema's properties as a flat list of fields in titled groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agent_tools.admin.schema_forms.kinds import Kind, Shape, kind_of, shape_of
from agent_tools.contract.schemas import MISSING, Schema, resolve

DEEPEST_GROUP = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldPlan:
    """One field. `value` is what it holds now, `default` what the schema gives; either may be `MISSING`."""

    name: str
    path: tuple[str, ...]
    kind: Kind
    shape: Shape
    title: str
    help: str
    default: Any
    value: Any
    required: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The fields of one object; the outermost has an empty path."""

    path: tuple[str, ...]
    title: str
    help: str
    required: bool
    fields: tuple[FieldPlan, ...]


def plan_of(root: Schema, values: Mapping[str, Any], prefix: str) -> list[Group]:
    """Lay out the properties of an object's schema. Form names begin with `prefix` and are unique."""
    return list(_Planner(root, prefix).groups(resolve(root, root), values, (), Heading()))


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands above a group."""

    title: str = ""
    help: str = ""
    required: bool = True


class _Planner:
    def __init__(self, root: Schema, prefix: str) -> None:
        self.root = root
        self.prefix = prefix
        self.taken: set[str] = set()

    def groups(self, schema: Schema, values: Any, path: tuple[str, ...], heading: Heading) -> Iterator[Group]:
        fields: list[FieldPlan] = []
        below: list[tuple[FieldPlan, Any]] = []
        known = values if isinstance(values, Mapping) else {}
        for key, child in schema.get("properties", {}).items():
            required = key in schema.get("required", ())
            field = self._field(child, (*path, key), known.get(key, MISSING), required=required)
            if field.kind is Kind.GROUP:
                below.append((field, known.get(key, MISSING)))
            else:
                fields.append(field)
        yield Group(path=path, title=heading.title, help=heading.help, required=heading.required, fields=tuple(fields))
        for field, value in below:
            title = f"{heading.title} – {field.title}" if heading.title else field.title
            inner = Heading(title, field.help, heading.required and field.required)
            yield from self.groups(field.shape.schema, value, field.path, inner)

    def _field(self, schema: Schema, path: tuple[str, ...], value: Any, *, required: bool) -> FieldPlan:
        shape = shape_of(self.root, schema)
        kind = kind_of(self.root, shape, value)
        if kind is Kind.GROUP and len(path) > DEEPEST_GROUP:
            kind = Kind.JSON
        outer = {**shape.schema, **schema} if len(shape.branches) == 1 else schema
        return FieldPlan(
            name=self._name(path),
            path=path,
            kind=kind,
            shape=shape,
            title=str(outer.get("title") or path[-1].replace("_", " ").capitalize()),
            help=str(outer.get("description", "")),
            default=schema.get("default", MISSING),
            value=value,
            required=required,
        )

    def _name(self, path: tuple[str, ...]) -> str:
        name = plain = self.prefix + "__".join(path)
        number = 2
        while name in self.taken:
            name, number = f"{plain}_{number}", number + 1
        self.taken.add(name)
        return name

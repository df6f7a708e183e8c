"""Fields for a whole schema: built, read back into JSON, and told which problem is whose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from agent_tools.admin.schema_forms.kinds import Kind
from agent_tools.admin.schema_forms.make import make_field
from agent_tools.admin.schema_forms.plan import Group, plan_of
from agent_tools.contract.errors import Problem
from agent_tools.contract.schemas import MISSING, Schema


class SchemaFields:
    """The form fields of one JSON Schema, under names that begin with `prefix`.

    A configuration is edited whole: fields hold the current values. An input is `sparse`: a field left empty is not
    sent, so that the tool's own default counts.
    """

    def __init__(self, schema: Schema, values: Mapping[str, Any], *, prefix: str, sparse: bool = False) -> None:
        self.groups: list[Group] = plan_of(schema, values, prefix)
        self.plans = {plan.name: plan for group in self.groups for plan in group.fields}
        self.fields: dict[str, forms.Field] = {
            name: make_field(schema, plan, sparse=sparse) for name, plan in self.plans.items()
        }

    def read(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        """Return the JSON object that the cleaned fields stand for; fields with errors are left out."""
        whole: dict[str, Any] = {}
        for group in self.groups:
            found = {plan.path[-1]: cleaned.get(plan.name, MISSING) for plan in group.fields}
            present = {key: value for key, value in found.items() if value is not MISSING}
            if present or group.required:
                _object_at(whole, group.path).update(present)
        return whole

    def place(self, problems: Iterable[Problem]) -> Iterator[tuple[str | None, str]]:
        """Return each problem's field (none: it belongs to the whole) and what to write beside it."""
        for problem in problems:
            parts = tuple(problem.field.split(".")) if problem.field else ()
            fitting = [plan for plan in self.plans.values() if plan.path == parts[: len(plan.path)]]
            plan = max(fitting, key=lambda each: len(each.path), default=None)
            rest = ".".join(parts[len(plan.path) if plan else 0 :])
            if plan and plan.kind is Kind.LINES and rest.isdecimal():
                rest = _("Line %(number)d") % {"number": int(rest) + 1}
            message = problem.message[:1].upper() + problem.message[1:]
            yield (plan.name if plan else None), (f"{rest}: {problem.message}" if rest else message)


def _object_at(whole: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    for key in path:
        whole = whole.setdefault(key, {})
    return whole

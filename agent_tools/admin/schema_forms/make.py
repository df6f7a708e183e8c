"""Makes one form field from its plan: the right class, widget, initial text, help and meaning of an empty field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.html import escape
from django.utils.translation import gettext as _

from agent_tools.admin import json_text
from agent_tools.admin.schema_forms import fields
from agent_tools.admin.schema_forms.kinds import Kind, allowed_values, other_types, shape_of
from agent_tools.admin.schema_forms.plan import FieldPlan
from agent_tools.admin.schema_forms.secrets import SecretField, SecretsField
from agent_tools.contract.schemas import MISSING, Schema

ONE_LINE = 255
ONE_LINE_NAMES = frozenset({"url", "uri", "path", "slug", "name", "id", "query", "method", "language", "pattern"})
LONGEST_PLACEHOLDER = 80
EMPTY_VALUES: dict[Kind, Any] = {Kind.TEXT: "", Kind.LINES: [], Kind.CHOICES: [], Kind.PAIRS: {}}


def translated(text: str) -> str:
    """Return a type's own text in the reader's language where the catalogue has it."""
    return _(text) if text.strip() else ""


def make_field(root: Schema, plan: FieldPlan, *, sparse: bool) -> forms.Field:
    """Return the field; `sparse` as in `SchemaFields`."""
    label = plan.path[-1] if sparse else translated(plan.title)
    options: dict[str, Any] = {"label": label, "help_text": help_of(plan), "required": False}
    value = plan.value if sparse or plan.value is not MISSING else plan.default
    match plan.kind:
        case Kind.SECRET:
            return SecretField(stored=isinstance(plan.value, Mapping), **options)
        case Kind.SECRETS:
            return SecretsField(stored=list(plan.value) if isinstance(plan.value, Mapping) else [], **options)
        case Kind.SWITCH:
            return fields.SwitchField(initial=(plan.default if value is MISSING else value) is True, **options)
        case Kind.CHOICE:
            return _choice(plan, value, sparse=sparse, options=options)
        case Kind.CHOICES:
            return _choices(root, plan, value, sparse=sparse, options=options)
        case _:
            return _typed(root, plan, value, sparse=sparse, options=options)


def help_of(plan: FieldPlan) -> str:
    """Return the help text, escaped: the admin's templates print it as it is."""
    parts = [translated(plan.help)]
    if plan.kind not in {Kind.SECRET, Kind.SECRETS} and plan.default not in (MISSING, None, "", [], {}):
        shown = _("Yes") if plan.default is True else _("No") if plan.default is False else text_of(plan, plan.default)
        parts.append(_("Default: %(value)s") % {"value": ", ".join(shown.splitlines())})
    notes = {
        Kind.LINES: _("One per line."),
        Kind.PAIRS: _("One per line, as Name: value."),
        Kind.JSON: _("Written as JSON."),
        Kind.MIXED: _("Plain text, or JSON."),
    }
    if "line" not in plan.help:
        parts.append(notes.get(plan.kind, ""))
    return escape(" ".join(part if part.endswith((".", ":")) else f"{part}." for part in parts if part))


def text_of(plan: FieldPlan, value: Any) -> str:
    """Return the text that a typed field shows for a value."""
    match plan.kind:
        case Kind.LINES if isinstance(value, list):
            return "\n".join(str(item) for item in value)
        case Kind.PAIRS if isinstance(value, Mapping):
            return "\n".join(f"{name}: {item}" for name, item in value.items())
        case Kind.CHOICES if isinstance(value, list):
            return "\n".join(str(item) for item in value)
        case Kind.JSON:
            return json_text.pretty(value)
        case _:
            return value if isinstance(value, str) else json_text.compact(value)


def blank_of(plan: FieldPlan, *, sparse: bool) -> Any:
    """Return what an empty field stands for."""
    if sparse:
        return None if plan.required and plan.shape.nullable else MISSING
    return None if plan.shape.nullable else EMPTY_VALUES.get(plan.kind, MISSING)


def _choice(plan: FieldPlan, value: Any, *, sparse: bool, options: dict[str, Any]) -> forms.Field:
    known = fields.Choices(allowed_values(plan.shape) or [])
    empty: str | None = None
    if sparse and not plan.required:
        empty = _("– not given –")
    elif plan.shape.nullable:
        empty = _("– none –")
    elif value is MISSING:
        empty = _("– choose –")
    key = "" if value in (MISSING, None) else known.key_of(value)
    # A stored value that is no longer allowed stays visible and is refused beside the field.
    refused = [key] if key and key not in known.values else []
    return fields.ChoiceField(
        known=known,
        blank=blank_of(plan, sparse=sparse),
        empty_label=empty,
        refused=refused,
        initial=key,
        **{**options, "required": plan.required and not plan.shape.nullable},
    )


def _choices(root: Schema, plan: FieldPlan, value: Any, *, sparse: bool, options: dict[str, Any]) -> forms.Field:
    known = fields.Choices(allowed_values(shape_of(root, plan.shape.schema["items"])) or [])
    chosen = value if isinstance(value, list) else []
    return fields.ChoicesField(
        known=known, blank=blank_of(plan, sparse=sparse), initial=[known.key_of(item) for item in chosen], **options
    )


def _typed(root: Schema, plan: FieldPlan, value: Any, *, sparse: bool, options: dict[str, Any]) -> forms.Field:
    text = "" if value in (MISSING, None) else text_of(plan, value)
    must = plan.required and not plan.shape.nullable and (sparse or plan.kind not in EMPTY_VALUES)
    options = {
        **options,
        "required": must,
        "initial": text,
        "blank": blank_of(plan, sparse=sparse),
        "widget": _widget(plan, text),
    }
    match plan.kind:
        case Kind.TEXT:
            return fields.TextField(**options)
        case Kind.INTEGER | Kind.NUMBER:
            return fields.NumberField(whole=plan.kind is Kind.INTEGER, **options)
        case Kind.LINES:
            item = shape_of(root, plan.shape.schema["items"]).schema.get("type", "string")
            return fields.LinesField(item=item, **options)
        case Kind.PAIRS:
            return fields.PairsField(**options)
        case Kind.MIXED:
            return fields.MixedField(types=other_types(plan.shape), **options)
        case _:
            return fields.JSONField(**options)


def _widget(plan: FieldPlan, text: str) -> forms.Widget:
    attrs: dict[str, Any] = {}
    if plan.default not in (MISSING, None):
        attrs["placeholder"] = ", ".join(text_of(plan, plan.default).splitlines())[:LONGEST_PLACEHOLDER]
    match plan.kind:
        case Kind.INTEGER | Kind.NUMBER:
            mode = "numeric" if plan.kind is Kind.INTEGER else "decimal"
            return forms.TextInput({**attrs, "class": "vIntegerField", "inputmode": mode})
        case Kind.TEXT if _is_one_line(plan) and "\n" not in text:
            return forms.TextInput({**attrs, "class": "vTextField schema-line"})
        case Kind.TEXT | Kind.MIXED:
            return forms.Textarea({**attrs, "class": "vLargeTextField schema-text", "rows": _rows(text, 1)})
        case Kind.JSON:
            attrs.pop("placeholder", None)
            options = {"class": "vLargeTextField schema-json", "rows": _rows(text, 4), "spellcheck": "false"}
            return forms.Textarea({**attrs, **options})
        case _:
            return forms.Textarea(
                {**attrs, "class": "vLargeTextField schema-list", "rows": _rows(text, 3), "spellcheck": "false"}
            )


def _rows(text: str, least: int) -> int:
    return min(max(text.count("\n") + 1, least), 20)


def _is_one_line(plan: FieldPlan) -> bool:
    schema = plan.shape.schema
    short = 0 < schema.get("maxLength", 0) <= ONE_LINE
    return short or "format" in schema or "pattern" in schema or plan.path[-1].rpartition("_")[2] in ONE_LINE_NAMES

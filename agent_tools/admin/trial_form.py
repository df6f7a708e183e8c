"""The input of a trial run: fields from the tool's narrowed schema, or raw JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, cast

from django import forms
from django.contrib.admin.helpers import AdminForm
from django.contrib.admin.widgets import AdminRadioSelect
from django.utils.html import escape
from django.utils.translation import gettext as _

from agent_tools.admin import json_text
from agent_tools.admin.schema_forms.build import SchemaFields
from agent_tools.admin.schema_forms.fields import RawTextField
from agent_tools.admin.schema_forms.make import translated

MODE = "input_mode"
AS_FORM = "form"
AS_JSON = "json"
JSON = "input_json"
PREFIX = "input__"


class TrialForm(forms.Form):
    """Base of the generated forms; `tool_input` is what is sent once the form is valid."""

    input_fields: ClassVar[SchemaFields | None] = None
    tool_input: object = None

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        made = self.input_fields
        if made is not None and cleaned.get(MODE) != AS_JSON:
            self.tool_input = made.read(cleaned)
            return cleaned
        for name in [name for name in self.errors if made is not None and name in made.fields]:
            del self.errors[name]
        try:
            self.tool_input = json_text.parse(str(cleaned.get(JSON) or "{}"))
        except json_text.JSONTextError as error:
            self.add_error(JSON, str(error))
        return cleaned

    def fieldsets(self) -> AdminForm:
        """Return the fields in the admin's own dress."""
        shown: list[Any] = []
        if self.input_fields is not None:
            shown.append((None, {"fields": [MODE], "classes": ["config-mode-row"]}))
            for group in self.input_fields.groups:
                options = {
                    "fields": [plan.name for plan in group.fields],
                    "classes": ["config-as-form"],
                    "description": escape(translated(group.help)),
                }
                if group.fields:
                    shown.append((translated(group.title) or None, options))
        shown.append((None, {"fields": [JSON], "classes": ["config-as-json"] if self.input_fields else []}))
        shown.append((None, {"fields": ["confirmed", "session"]}))
        return AdminForm(cast("Any", self), shown, {})


def trial_form_for(schema: Mapping[str, Any] | None, values: object) -> type[TrialForm]:
    """Return the form for an input schema (none: raw JSON alone), filled with an earlier input where there is one."""
    known = values if isinstance(values, Mapping) else {}
    made = SchemaFields(schema, known, prefix=PREFIX, sparse=True) if schema is not None else None
    if made is not None and not made.plans and schema and schema.get("additionalProperties", True):
        made = None  # a free-form object has no fields to show
    attributes: dict[str, Any] = {"input_fields": made}
    if made is not None:
        attributes[MODE] = _mode_field(AS_FORM if isinstance(values, Mapping) or values is None else AS_JSON)
    attributes[JSON] = _json_field({} if values is None else values)
    attributes["confirmed"] = forms.BooleanField(
        label=_("Confirm"),
        required=False,
        help_text=escape(
            _("Allows this one run where the tool, a rule or a hook asks a person first. A denial stays a denial.")
        ),
    )
    attributes["session"] = forms.UUIDField(
        label=_("Session"),
        required=False,
        widget=forms.TextInput(attrs={"class": "vTextField", "autocomplete": "off"}),
        help_text=escape(
            _("Empty for a new one. The id of an earlier run's session lets a tool go on from it, as file edits do.")
        ),
    )
    attributes.update(made.fields if made else {})
    return type("TrialForm", (TrialForm,), attributes)


def _mode_field(initial: str) -> forms.Field:
    return forms.ChoiceField(
        label=_("Input"),
        choices=[(AS_FORM, _("as a form")), (AS_JSON, _("as JSON"))],
        initial=initial,
        widget=AdminRadioSelect(attrs={"class": "radiolist inline view-switch"}),
        help_text=escape(_("Only the chosen view is sent. Form fields that are left empty are not sent at all.")),
    )


def _json_field(values: object) -> forms.Field:
    return RawTextField(
        label=_("Input as JSON"),
        required=False,
        initial=json_text.pretty(values),
        widget=forms.Textarea(attrs={"class": "vLargeTextField schema-json", "rows": 12, "spellcheck": "false"}),
        help_text=escape(_("Sent as it stands, wrong arguments too: the result shows what a model would be told.")),
    )

"""The form of one tool: its row's fields, and fields made from its type's configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.contrib.admin.widgets import AdminRadioSelect
from django.utils.html import escape
from django.utils.translation import gettext as _

from agent_tools import configs
from agent_tools.admin import json_text
from agent_tools.admin.schema_forms.build import SchemaFields
from agent_tools.admin.schema_forms.fields import RawTextField
from agent_tools.contract.errors import AgentToolsError, ConfigError
from agent_tools.models import AgentTool
from agent_tools.registry import registry

MODE = "config_mode"
AS_FORM = "form"
AS_JSON = "json"
JSON = "config_json"
PREFIX = "config__"


class ToolForm(forms.ModelForm[AgentTool]):
    """Base of the generated forms; without a known type it leaves the configuration alone."""

    type_name: ClassVar[str] = ""
    config_fields: ClassVar[SchemaFields | None] = None
    is_new: ClassVar[bool] = False
    config_touched = False

    class Meta:
        model = AgentTool
        fields = ("name", "slug", "description", "enabled", "sort_order")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.config_fields is None:
            return cleaned
        self.instance.type = self.type_name
        submitted = self._submitted(cleaned)
        if submitted is not None and (self.is_new or self._config_changed(cleaned)):
            self._check(submitted)
        return cleaned

    def _config_changed(self, cleaned: Mapping[str, Any]) -> bool:
        names = {JSON} if cleaned.get(MODE) == AS_JSON else set(self.config_fields.fields if self.config_fields else ())
        return bool(names & set(self.changed_data))

    def _submitted(self, cleaned: Mapping[str, Any]) -> dict[str, Any] | None:
        if cleaned.get(MODE) != AS_JSON:
            return self.config_fields.read(cleaned) if self.config_fields else None
        # What stands in the other view does not count, so its mistakes do not either.
        for name in self._errors_of_fields():
            del self.errors[name]
        try:
            return json_text.parse_object(str(cleaned.get(JSON, "")))
        except json_text.JSONTextError as error:
            self.add_error(JSON, str(error))
            return None

    def _errors_of_fields(self) -> list[str]:
        return [name for name in self.errors if self.config_fields and name in self.config_fields.fields]

    def _check(self, submitted: dict[str, Any]) -> None:
        stored = None if self.is_new else self.instance.config
        try:
            configs.prepare(self.type_name, submitted, stored if isinstance(stored, Mapping) else None)
        except ConfigError as error:
            self._show(error)
        except AgentToolsError as error:
            self.add_error(None, error.message)
        else:
            if not self._errors_of_fields():
                # The row seals it once more when it is checked as a whole.
                self.instance.config = submitted
                self.config_touched = True

    def _show(self, error: ConfigError) -> None:
        if self.cleaned_data.get(MODE) == AS_JSON:
            self.add_error(JSON, [str(problem) for problem in error.problems])
            return
        known = set(self._errors_of_fields())
        for name, message in self.config_fields.place(error.problems) if self.config_fields else ():
            if name not in known:
                self.add_error(name, message)


def form_for(type_name: str, stored: object | None) -> type[ToolForm]:
    """Return the form of a type; `stored` is the row's configuration (none for a new tool).

    An unknown type gives the plain form.
    """
    try:
        executor = registry.get(type_name)
    except AgentToolsError:
        return ToolForm
    values = shown_config(type_name, stored)
    made = SchemaFields(executor.Config.model_json_schema(), values, prefix=PREFIX)
    views: dict[str, forms.Field] = (
        {MODE: _mode_field(), JSON: _json_field(values), **made.fields} if made.plans else {}
    )
    facts = {"type_name": type_name, "config_fields": made, "is_new": stored is None}
    return type("ToolForm", (ToolForm,), {**facts, **views})


def shown_config(type_name: str, stored: object | None) -> dict[str, Any]:
    """Return a configuration for people, secrets masked, defaults filled in; of an unknown type as it is stored."""
    kept = stored if isinstance(stored, Mapping) else {}
    try:
        return configs.shown(type_name, kept)
    except AgentToolsError:
        return dict(configs.masked(kept))


class ModeField(forms.ChoiceField):
    """Which of two views counts; choosing one is no change of the row."""

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False


def _mode_field() -> forms.Field:
    return ModeField(
        label=_("Edit"),
        choices=[(AS_FORM, _("as a form")), (AS_JSON, _("as JSON"))],
        initial=AS_FORM,
        widget=AdminRadioSelect(attrs={"class": "radiolist inline view-switch"}),
        help_text=escape(_("Only the chosen view is saved; what stands in the other one does not count.")),
    )


def _json_field(values: Mapping[str, Any]) -> forms.Field:
    advice = _(
        'A secret that is set shows as {"$secret": "set"}: leave it so, or leave its key out, to keep it; write a text '
        "to replace it, null to clear it. Other keys that are left out get their defaults."
    )
    return RawTextField(
        label=_("Configuration"),
        required=False,
        initial=json_text.pretty(values),
        widget=forms.Textarea(attrs={"class": "vLargeTextField schema-json", "rows": 20, "spellcheck": "false"}),
        help_text=escape(advice),
    )

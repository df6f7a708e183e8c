"""The form of a language model: refuses what could never work, and names the culprit."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminTextInputWidget
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agent_tools.admin import json_text
from chat.llm.wire import OWNED
from chat.models import Backend, ChatModel

PARAMETERS = ("extra", "thinking_extra", "plain_extra")


class ObjectField(forms.JSONField):
    """A JSON object as indented text; an empty text is the empty object."""

    widget = forms.Textarea(attrs={"rows": 4, "cols": 60, "class": "chat-parameters", "spellcheck": "false"})

    def to_python(self, value: Any) -> Any:
        if isinstance(value, dict):
            return value
        try:
            return json_text.parse_object(str(value or ""))
        except json_text.JSONTextError as error:
            raise forms.ValidationError(str(error), code="invalid") from error

    def prepare_value(self, value: Any) -> Any:
        return json_text.pretty(value) if isinstance(value, dict) else super().prepare_value(value)

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            given = self.to_python(data)
        except forms.ValidationError:
            return True
        return json.dumps(initial, sort_keys=True) != json.dumps(given, sort_keys=True)


class ModelForm(forms.ModelForm[ChatModel]):
    """One language model. The default is no column here: choosing it moves it from another row."""

    make_default = forms.BooleanField(
        label=gettext_lazy("Default"),
        required=False,
        help_text=gettext_lazy("New conversations use it. Choosing this model takes it from the present one."),
    )

    class Meta:
        model = ChatModel
        exclude = ("is_default",)  # noqa: DJ006 - the admin's fieldsets say which
        field_classes = dict.fromkeys(PARAMETERS, ObjectField)
        widgets = {
            "base_url": AdminTextInputWidget(attrs={"class": "chat-address", "spellcheck": "false"}),
            "model_id": AdminTextInputWidget(attrs={"class": "chat-address", "spellcheck": "false"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen = self.fields.get("make_default")
        if chosen is not None and self.instance.is_default:
            chosen.initial, chosen.disabled = True, True
            chosen.help_text = _("To move it, choose another model as the default.")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        enabled = cleaned.get("enabled", self.instance.enabled)
        if not enabled and self.instance.is_default:
            self.add_error("enabled", still_the_default())
        elif not enabled and cleaned.get("make_default"):
            self.add_error("make_default", _("A disabled model cannot be the default."))
        backend = cleaned.get("backend", self.instance.backend)
        named = cleaned.get("model_id", self.instance.model_id)
        if backend == Backend.OPENAI and "model_id" not in self.errors and not named:
            self.add_error("model_id" if "model_id" in self.fields else None, _("Enter the provider’s name for it."))
        for field in PARAMETERS:
            self._check_parameters(field, cleaned.get(field))
        return cleaned

    def _check_parameters(self, field: str, given: Any) -> None:
        owned = sorted(OWNED & set(given)) if isinstance(given, dict) else []
        if owned:
            words = _("This site sets these itself; leave them out: %(names)s.") % {"names": ", ".join(owned)}
            self.add_error(field, words)


class ModelListForm(forms.ModelForm[ChatModel]):
    """One line of the list."""

    def clean_enabled(self) -> bool:
        enabled = bool(self.cleaned_data["enabled"])
        if not enabled and self.instance.is_default:
            raise forms.ValidationError(still_the_default(), code="default")
        return enabled


def still_the_default() -> str:
    """Say why the default cannot be disabled."""
    return _("This is the default model: choose another one as the default first.")

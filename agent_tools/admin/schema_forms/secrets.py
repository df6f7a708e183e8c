"""Write-only form fields: a secret is set, replaced or cleared, and what is stored never reaches a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.renderers import BaseRenderer
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from agent_tools.contract.schemas import MISSING

EMPTY_ROWS = 2
MOST_ROWS = 200


@dataclass(frozen=True, slots=True)
class Entry:
    """What was typed for one secret. `stored` says that there is one already."""

    key: str = ""
    new: str = ""
    clear: bool = False
    stored: bool = False

    @property
    def touched(self) -> bool:
        return bool(self.new or self.clear)


class TemplateWidget(forms.Widget):
    """A widget drawn by a template of the project, which Django's own form renderer does not see."""

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: BaseRenderer | None = None
    ) -> SafeString:
        return render_to_string(str(self.template_name), self.get_context(name, value, attrs))


class SecretWidget(TemplateWidget):
    """A password field and, where something is stored, a box to clear it."""

    template_name = "admin/agent_tools/widgets/secret.html"

    def __init__(self, *, stored: bool) -> None:
        super().__init__()
        self.stored = stored

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Entry:
        return Entry(new=data.get(f"{name}-new", ""), clear=f"{name}-clear" in data, stored=self.stored)

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return f"{name}-new" not in data

    def id_for_label(self, id_: str) -> str:
        return f"{id_}-new" if id_ else id_

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, None, attrs)
        context["entry"] = value if isinstance(value, Entry) else Entry(stored=self.stored)
        return context


class SecretField(forms.Field):
    """Clean value: the new secret, null to clear it, `MISSING` to keep what there is."""

    def __init__(self, *, stored: bool, **options: Any) -> None:
        super().__init__(widget=SecretWidget(stored=stored), **options)

    def clean(self, value: Any) -> Any:
        entry = value if isinstance(value, Entry) else Entry()
        if entry.new and entry.clear:
            raise ValidationError(_("Either give a new value or clear the stored one."), code="invalid")
        if entry.clear:
            return None
        return entry.new or MISSING

    def has_changed(self, initial: Any, data: Any) -> bool:
        return isinstance(data, Entry) and data.touched


class SecretsWidget(TemplateWidget):
    """A row for each stored secret and a few empty ones."""

    template_name = "admin/agent_tools/widgets/secrets.html"

    def __init__(self, *, stored: list[str]) -> None:
        super().__init__()
        self.stored = stored

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> list[Entry]:
        found: list[Entry] = []
        for number in range(MOST_ROWS):
            row = f"{name}-{number}"
            if f"{row}-key" not in data:
                break
            key = str(data[f"{row}-key"]).strip()
            entry = Entry(key, data.get(f"{row}-new", ""), f"{row}-clear" in data, stored=key in self.stored)
            found.append(entry)
        return found

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return f"{name}-0-key" not in data

    def id_for_label(self, id_: str) -> str:
        return ""

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, None, attrs)
        typed = value if isinstance(value, list) else []
        known = {entry.key: entry for entry in typed if entry.stored}
        stored = [known.get(key, Entry(key, stored=True)) for key in self.stored]
        new = [entry for entry in typed if not entry.stored]
        new += [Entry()] * max(EMPTY_ROWS - sum(not entry.key and not entry.new for entry in new), 0)
        context["entries"] = [*stored, *new]
        return context


class SecretsField(forms.Field):
    """Clean value: an object of what changes, null to clear a key; `MISSING` when nothing does."""

    def __init__(self, *, stored: list[str], **options: Any) -> None:
        super().__init__(widget=SecretsWidget(stored=stored), **options)

    def clean(self, value: Any) -> Any:
        changes: dict[str, str | None] = {}
        for entry in value if isinstance(value, list) else []:
            if entry.key in changes:
                raise ValidationError(_("%(name)s is there twice.") % {"name": entry.key}, code="invalid")
            if entry.new and entry.clear:
                raise ValidationError(
                    _("%(name)s: either give a new value or clear the stored one.") % {"name": entry.key},
                    code="invalid",
                )
            if entry.new and not entry.key:
                raise ValidationError(_("Give the new value a name."), code="invalid")
            if entry.key and not entry.stored and not entry.new and not entry.clear:
                raise ValidationError(_("%(name)s needs a value.") % {"name": entry.key}, code="invalid")
            if entry.touched:
                changes[entry.key] = None if entry.clear else entry.new
        return changes or MISSING

    def has_changed(self, initial: Any, data: Any) -> bool:
        return isinstance(data, list) and any(entry.touched for entry in data)

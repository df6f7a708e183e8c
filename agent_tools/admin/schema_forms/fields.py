"""Form fields whose clean value is a JSON value, or `MISSING` where nothing was given.

Initial values are the text a widget shows, so that what was typed and what was stored take the same way.
"""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from agent_tools.admin import json_text
from agent_tools.admin.schema_forms.kinds import mixed_value
from agent_tools.contract.schemas import MISSING


class RawTextField(forms.CharField):
    """A text as it was typed. Browsers send line ends as CRLF (HTML, form submission); a value has LF."""

    def __init__(self, **options: Any) -> None:
        super().__init__(strip=False, **options)

    def to_python(self, value: Any) -> str:
        return (super().to_python(value) or "").replace("\r\n", "\n")


class JSONValueField(RawTextField):
    """Base of all that is typed as text; `blank` is the value of an empty field."""

    def __init__(self, *, blank: Any = MISSING, **options: Any) -> None:
        super().__init__(**options)
        self.blank = blank

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        return self.parsed(text) if text.strip() else self.blank

    def parsed(self, text: str) -> Any:
        """Return the value of a text that is not blank; raises `ValidationError`."""
        return text


class TextField(JSONValueField):
    """Any text, blanks at its ends included."""

    def clean(self, value: Any) -> Any:
        text = forms.CharField.clean(self, value)
        return text or self.blank


class NumberField(JSONValueField):
    """A whole number, or any where `whole` is false; a text field, so that a browser keeps what was typed."""

    def __init__(self, *, whole: bool, **options: Any) -> None:
        super().__init__(**options)
        self.whole = whole

    def parsed(self, text: str) -> int | float:
        try:
            return int(text)
        except ValueError:
            pass
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if self.whole and number.is_integer():
            return int(number)
        if self.whole:
            raise ValidationError(_("Enter a whole number, as in 10."), code="invalid")
        if number - number:  # infinite, or not a number
            raise ValidationError(_("Enter a number, as in 10 or 2.5."), code="invalid")
        return number


class LinesField(JSONValueField):
    """A list of texts or numbers, one a line; empty lines do not count."""

    def __init__(self, *, item: str, **options: Any) -> None:
        super().__init__(**options)
        self.item = item

    def parsed(self, text: str) -> list[Any]:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if self.item == "string":
            return lines
        number = NumberField(whole=self.item == "integer", required=False)
        return [number.parsed(line) for line in lines]


class PairsField(JSONValueField):
    """An object of texts, one `Name: value` a line."""

    def parsed(self, text: str) -> dict[str, str]:
        pairs: dict[str, str] = {}
        for number, line in enumerate(text.splitlines(), 1):
            name, colon, value = (part.strip() for part in line.partition(":"))
            if not name and not colon:
                continue
            if not name or not colon:
                raise ValidationError(_("Line %(line)d: write it as Name: value.") % {"line": number}, code="invalid")
            if name in pairs:
                raise ValidationError(
                    _("Line %(line)d: %(name)s is there already.") % {"line": number, "name": name}, code="invalid"
                )
            pairs[name] = value
        return pairs


class JSONField(JSONValueField):
    """Any JSON value."""

    def parsed(self, text: str) -> Any:
        try:
            return json_text.parse(text)
        except json_text.JSONTextError as error:
            raise ValidationError(str(error), code="invalid") from error


class MixedField(JSONValueField):
    """A text, or a JSON value of one of the named types: what parses as one of them is one."""

    def __init__(self, *, types: frozenset[str], **options: Any) -> None:
        super().__init__(**options)
        self.types = types

    def parsed(self, text: str) -> Any:
        return mixed_value(text, self.types)


class SwitchField(forms.BooleanField):
    """True or false."""


class Choices:
    """Values of any JSON type under keys that a browser can send back."""

    def __init__(self, values: list[Any]) -> None:
        plain = all(isinstance(value, str) for value in values)
        self.values = {(value if plain else json.dumps(value)): value for value in values}

    def key_of(self, value: Any) -> str:
        """Return the key of a value, of an unknown one too."""
        found = (key for key, known in self.values.items() if known == value and type(known) is type(value))
        return next(found, value if isinstance(value, str) else json.dumps(value))

    def value_of(self, key: str) -> Any:
        return self.values.get(key, key)

    def labels(self) -> list[tuple[str, str]]:
        words = {"true": _("Yes"), "false": _("No")}
        return [
            (key, words.get(key, key) if isinstance(value, bool) else str(value)) for key, value in self.values.items()
        ]


class ChoiceField(forms.TypedChoiceField):
    """One of a closed set; the empty option, where there is one, stands for `blank`."""

    def __init__(
        self, *, known: Choices, blank: Any, empty_label: str | None, refused: list[str], **options: Any
    ) -> None:
        choices = [] if empty_label is None else [("", empty_label)]
        choices += known.labels()
        choices += [(key, _("%(value)s (not allowed)") % {"value": key}) for key in refused]
        super().__init__(choices=choices, coerce=known.value_of, empty_value=blank, **options)


class ChoicesField(forms.TypedMultipleChoiceField):
    """Any number of a closed set."""

    def __init__(self, *, known: Choices, blank: Any, **options: Any) -> None:
        super().__init__(
            choices=known.labels(),
            coerce=known.value_of,
            empty_value=blank,
            widget=forms.CheckboxSelectMultiple,
            **options,
        )

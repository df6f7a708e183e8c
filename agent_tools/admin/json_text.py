"""JSON as people read and write it: pretty text out, checked values in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NoReturn

from django.utils.translation import gettext as _

LONGEST_SHOWN = 200_000


class JSONTextError(ValueError):
    """A text is not the JSON that is wanted; the message says where and what."""


def pretty(value: object) -> str:
    """Return the value as indented JSON; what JSON does not know is shown as its text."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def compact(value: object) -> str:
    """Return the value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False, default=str)


def parse(text: str) -> Any:
    """Return the value of a JSON text (RFC 8259: no NaN or Infinity); raises `JSONTextError`."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise JSONTextError(
            _("This is not valid JSON: line %(line)d, column %(column)d: %(problem)s.")
            % {"line": error.lineno, "column": error.colno, "problem": error.msg}
        ) from error
    except (ValueError, RecursionError) as error:
        raise JSONTextError(_("This is not valid JSON: %(problem)s.") % {"problem": error}) from error


def parse_object(text: str) -> dict[str, Any]:
    """Return the object of a JSON text; an empty text is the empty object. Raises `JSONTextError`."""
    value = parse(text) if text.strip() else {}
    if not isinstance(value, dict):
        raise JSONTextError(_("This must be a JSON object, as in {}."))
    return value


def _refuse(word: str) -> NoReturn:
    raise ValueError(_("%(word)s is no JSON number") % {"word": word})


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The beginning of a text for a page; `length` is the whole text's, in characters."""

    text: str
    length: int

    @property
    def cut(self) -> bool:
        return len(self.text) < self.length


def excerpt(text: str, limit: int = LONGEST_SHOWN) -> Excerpt:
    """Return at most `limit` characters of a text."""
    return Excerpt(text[:limit], len(text))

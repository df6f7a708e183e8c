"""Pages by key, not by offset: as fast at the end of a long table as at its beginning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet

M = TypeVar("M", bound=Model)

END: Final = "end"
"""The position behind the last row."""
COUNT_LIMIT: Final = 10_000
_BETWEEN: Final = "~"


@dataclass(frozen=True, slots=True)
class KeyPage(Generic[M]):
    """Rows in order. `previous` and `following` are the positions to read on from, before and after; none at an end."""

    rows: list[M]
    previous: str | None = None
    following: str | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """How many rows there are, up to `COUNT_LIMIT`."""

    count: int
    more: bool


def key_page(rows: QuerySet[M], keys: Sequence[str], *, size: int, after: str = "", before: str = "") -> KeyPage[M]:
    """Return the first page, or the one after or before a position. A position that cannot be read counts as none.

    `keys` are the columns of an index, all in one direction ("-" for descending), that tell every two rows apart.
    """
    names = [key.removeprefix("-") for key in keys]
    descending = keys[0].startswith("-")
    upward = _values(rows, names, before)
    if before and (upward or before == END):
        beyond = rows if upward is None else rows.filter(_beyond(names, upward, "gt" if descending else "lt"))
        found = list(beyond.order_by(*(_turned(key) for key in keys))[: size + 1])
        if len(found) > size or before == END:
            shown = found[:size][::-1]
            previous = _position(shown[0], names) if len(found) > size else None
            following = None if before == END or not shown else _position(shown[-1], names)
            return KeyPage(shown, previous, following)
    downward = _values(rows, names, after)
    beyond = rows if downward is None else rows.filter(_beyond(names, downward, "lt" if descending else "gt"))
    found = list(beyond.order_by(*keys)[: size + 1])
    shown = found[:size]
    first = _position(shown[0], names) if shown else END
    return KeyPage(
        shown,
        previous=None if downward is None else first,
        following=_position(shown[-1], names) if len(found) > size else None,
    )


def bounded_count(rows: QuerySet[Any]) -> Counted:
    """Count at most `COUNT_LIMIT` rows."""
    found = rows.order_by().values("pk")[: COUNT_LIMIT + 1].count()
    return Counted(min(found, COUNT_LIMIT), more=found > COUNT_LIMIT)


def _turned(key: str) -> str:
    return key.removeprefix("-") if key.startswith("-") else f"-{key}"


def _beyond(names: Sequence[str], values: Sequence[Any], side: str) -> Q:
    """Return what lies strictly on one side of a position; its first part lets an index lead there."""
    condition = Q()
    equal: dict[str, Any] = {}
    for name, value in zip(names, values, strict=True):
        condition |= Q(**equal, **{f"{name}__{side}": value})
        equal[name] = value
    return Q(**{f"{names[0]}__{side}e": values[0]}) & condition


def _position(row: Model, names: Sequence[str]) -> str:
    values = (getattr(row, name) for name in names)
    texts = (value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else value for value in values)
    return _BETWEEN.join(str(text) for text in texts)


def _values(rows: QuerySet[Any], names: Sequence[str], position: str) -> list[Any] | None:
    parts = position.split(_BETWEEN)
    if len(parts) != len(names):
        return None
    options = rows.model._meta  # noqa: SLF001 - Django's documented interface
    try:
        return [
            (options.pk if name == "pk" else options.get_field(name)).to_python(part)
            for name, part in zip(names, parts, strict=True)
        ]
    except (ValidationError, ValueError):
        return None

"""The one gate that makes text and JSON-like structures storable: UTF-8, Postgres text and jsonb, standard JSON."""

from __future__ import annotations

import math
import numbers
import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any, Generic, TypeVar
from uuid import UUID

from agent_tools.contract.errors import InvalidInputError, Problem
from agent_tools.text.plain_json import NotPlainError, PlainCopier

MAX_DEPTH = 100
MAX_VALUES = 500_000
MAX_INTEGER_BITS = 13_000  # Python refuses to print integers of more than 4 300 digits

T = TypeVar("T")
_BROKEN = re.compile("[\x00\ud800-\udfff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Scrubbed(Generic[T]):
    """What is safe now, and how many characters had to be mended for it."""

    value: T
    mended: int


def safe_text(text: str) -> Scrubbed[str]:
    """Return `text` without NUL, surrogate pairs joined, lone surrogates replaced by U+FFFD."""
    text = str.__str__(text)
    if not _BROKEN.search(text):
        return Scrubbed(text, 0)
    nuls = text.count("\0")
    text, joined = _PAIR.subn(_join, text.replace("\0", ""))
    text, lone = _LONE.subn("\ufffd", text)
    return Scrubbed(text, nuls + joined + lone)


def _join(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def strict_json(value: object) -> Scrubbed[Any]:
    """Return `value` as plain JSON types, each text mended.

    Dates, UUIDs, decimals, paths, bytes, sets, enums and dataclasses become what JSON has for them. Raises
    InvalidInputError, naming the place, for what has no faithful form: NaN and infinities, integers of thousands of
    digits, unknown types, circles, more than MAX_DEPTH levels or MAX_VALUES values.
    """
    return _Rebuild(_refuse).run(value)


def lenient_json(value: object) -> Scrubbed[Any]:
    """Return `value` as plain JSON types like `strict_json`, but with a text in place of whatever that refuses."""
    return _Rebuild(_describe).run(value)


_Path = tuple[Any, Any] | None  # parent's path and the key below it
_Fallback = Callable[[str, str, _Path], str]  # what it is, a text that may stand for it, where it is


def _refuse(what: str, text: str, path: _Path) -> str:
    del text
    raise InvalidInputError([Problem(_dotted(path), f"{what} can't be written as JSON")])


def _describe(what: str, text: str, path: _Path) -> str:
    del what, path
    return text


def _dotted(path: _Path) -> str:
    keys: list[str] = []
    while path is not None:
        path, key = path
        keys.append(str(key))
    return safe_text(".".join(reversed(keys))).value


class _Rebuild:
    """A walk with a stack of its own, since a hostile value may be nested deeper than Python's."""

    def __init__(self, fallback: _Fallback) -> None:
        self._fallback = fallback
        self._mended = 0
        self._values = 0
        self._open: set[int] = set()
        self._stack: list[Callable[[], None]] = []

    def run(self, value: object) -> Scrubbed[Any]:
        with suppress(NotPlainError):
            return Scrubbed(PlainCopier(MAX_DEPTH, MAX_VALUES, MAX_INTEGER_BITS).copy(value), 0)
        root: list[Any] = [None]
        self._place(value, root, 0, None, 0)
        while self._stack:
            self._stack.pop()()
        return Scrubbed(root[0], self._mended)

    def _place(self, value: object, into: Any, key: Any, path: _Path, depth: int) -> None:
        """Put the safe form of `value` into a list or dictionary that is being filled."""
        self._values += 1
        children = self._children(value)
        if children is None:
            into[key] = self.scalar(value, path)
        elif id(value) in self._open:
            into[key] = self._fallback("a structure that holds itself", "(circular)", path)
        elif depth >= MAX_DEPTH:
            into[key] = self._fallback(f"nesting deeper than {MAX_DEPTH} levels", "(nested too deep)", path)
        elif self._values > MAX_VALUES:
            into[key] = self._fallback(f"a structure of more than {MAX_VALUES} values", "(too many values)", path)
        else:
            into[key] = self._container(value, children, path, depth)

    def _children(self, value: object) -> list[tuple[object, object]] | None:
        """Return the keys and values of a structure, None for a scalar."""
        if isinstance(value, str | Enum):
            return None
        if isinstance(value, Mapping):
            return list(value.items())
        if isinstance(value, list | tuple | deque):
            return list(enumerate(value))
        if isinstance(value, AbstractSet):
            return list(enumerate(sorted(value, key=repr)))
        if is_dataclass(value) and not isinstance(value, type):
            return [(field.name, getattr(value, field.name)) for field in fields(value)]
        return None

    def _container(self, value: object, children: list[tuple[object, object]], path: _Path, depth: int) -> Any:
        keyed = isinstance(value, Mapping) or is_dataclass(value)
        slots: list[Any] = self._keys(key for key, _ in children) if keyed else list(range(len(children)))
        filled: Any = dict.fromkeys(slots) if keyed else [None] * len(children)
        self._open.add(id(value))
        self._stack.append(lambda: self._open.discard(id(value)))
        for slot, (_, child) in zip(reversed(slots), reversed(children), strict=True):
            self._stack.append(
                lambda child=child, slot=slot: self._place(child, filled, slot, (path, slot), depth + 1)  # type: ignore[misc]
            )
        return filled

    def _keys(self, keys: Iterable[object]) -> list[str]:
        taken: dict[str, int] = {}
        for key in keys:
            name = self._key(key)
            wanted, count = name, 1
            while name in taken:
                count += 1
                name = f"{wanted} ({count})"
            taken[name] = count
        return list(taken)

    def _key(self, key: object) -> str:
        if key is None:
            return "null"
        if isinstance(key, bool):
            return str(key).lower()
        if isinstance(key, str) and not isinstance(key, Enum):
            return self._text(key)
        if self._children(key) is not None:
            return self._text(repr(key))
        return str(_Rebuild(_describe).scalar(key))

    def _text(self, text: str) -> str:
        safe = safe_text(text)
        self._mended += safe.mended
        return safe.value

    def scalar(self, value: object, path: _Path = None) -> Any:
        """Return the JSON form of one value that is no structure."""
        while isinstance(value, Enum):
            value = value.value
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, numbers.Integral):
            return self._integer(int(value), path)
        if isinstance(value, Decimal):
            return str(value) if value.is_finite() else self._fallback(f"the number {value}", str(value), path)
        if isinstance(value, numbers.Real):
            return self._float(value, path)
        return self._text(self._other(value, path))

    def _integer(self, value: int, path: _Path) -> int | str:
        if value.bit_length() <= MAX_INTEGER_BITS:
            return value
        digits = int(value.bit_length() * math.log10(2)) + 1
        return self._fallback(f"an integer of about {digits} digits", f"(integer of about {digits} digits)", path)

    def _float(self, real: Any, path: _Path) -> float | str:
        try:
            value = float(real)
        except OverflowError:  # a fraction beyond what a float holds
            value = math.inf if real > 0 else -math.inf
        if math.isfinite(value):
            return value
        name = "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return self._fallback(f"the number {name}", name, path)

    def _other(self, value: object, path: _Path) -> str:
        match value:
            case datetime() | date() | time():
                return value.isoformat()
            case timedelta() | UUID() | PurePath():
                return str(value)
            case bytes() | bytearray() | memoryview():
                return _bytes(bytes(value))
            case _:
                name = type(value).__name__
                return self._fallback(f"a value of type {name}", _words(value, name), path)


def _bytes(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return f"({len(value)} bytes)"


def _words(value: object, name: str) -> str:
    try:
        return str(value)
    except Exception:  # noqa: BLE001  a foreign object's own __str__ may do anything
        return f"({name})"

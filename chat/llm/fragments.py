"""Reads one entry of a delta's `tool_calls`, in whichever form it was sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chat.llm.scrub import scrub
from chat.llm.unknown import absorb

_ENTRY_KEYS = frozenset({"id", "index", "type", "function", "name", "arguments"})
_FUNCTION_KEYS = frozenset({"name", "arguments"})


@dataclass(slots=True)
class Fragment:
    """One entry of a delta's `tool_calls`, in our words."""

    id: str
    index: int | None
    name: str
    arguments: str
    is_object: bool
    extra: dict[str, Any]


def read_fragment(entry: Mapping[str, Any]) -> Fragment:
    """Return the entry as a fragment; a call that stands flat, without `function`, is one too."""
    function = entry.get("function")
    body: Mapping[str, Any] = function if isinstance(function, Mapping) else entry
    arguments = body.get("arguments")
    extra: dict[str, Any] = {}
    absorb(extra, entry, known=_ENTRY_KEYS)
    if body is function:
        inner: dict[str, Any] = {}
        absorb(inner, body, known=_FUNCTION_KEYS)
        if inner:
            extra["function"] = inner
    text = arguments if isinstance(arguments, str) else "" if arguments is None else _dump(arguments)
    return Fragment(
        id=_text(entry.get("id")),
        index=_index(entry.get("index")),
        name=_text(body.get("name")),
        arguments=text,
        is_object=isinstance(arguments, Mapping),
        extra=extra,
    )


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _text(value: object) -> str:
    if isinstance(value, str):
        return scrub(value)[0].strip()
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def _index(value: object) -> int | None:
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None

"""JSON Pointers (RFC 6901): where in a body something is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rest_framework.settings import api_settings

from agent_tools.contract.errors import Problem

Part = str | int


def pointer(parts: Iterable[Part]) -> str:
    """Return the pointer to a place, as `/config/timeout`; empty for the whole body."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def located(dotted: str, value: object) -> list[Part]:
    """Return the parts of a dotted path, read beside the value it leads into: a key may hold dots itself."""
    parts: list[Part] = []
    words = dotted.split(".") if dotted else []
    while words:
        taken, part = _longest_key(words, value)
        parts.append(part)
        words = words[taken:]
        value = _below(value, part)
    return parts


def flattened(detail: Any, at: tuple[Part, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield pointer and message for each finding in a serializer's nested errors."""
    if isinstance(detail, Mapping):
        for key, below in detail.items():
            yield from flattened(below, at if key == api_settings.NON_FIELD_ERRORS_KEY else (*at, key))
    elif isinstance(detail, list | tuple):
        for position, item in enumerate(detail):
            nested = isinstance(item, Mapping | list | tuple)
            yield from flattened(item, (*at, position) if nested else at)
    else:
        yield pointer(at), str(detail)


def nested(problems: Iterable[Problem], value: object) -> dict[str, Any]:
    """Return problems as a serializer's nested errors, those of one place together."""
    root: dict[str, Any] = {}
    for problem in problems:
        node = root
        for part in located(problem.field, value):
            node = node.setdefault(str(part), {})
        node.setdefault(api_settings.NON_FIELD_ERRORS_KEY, []).append(problem.message)
    return root


def _longest_key(words: list[str], value: object) -> tuple[int, Part]:
    if isinstance(value, Mapping):
        for length in range(len(words), 0, -1):
            key = ".".join(words[:length])
            if key in value:
                return length, key
    return 1, words[0]


def _below(value: object, part: Part) -> object:
    if isinstance(value, Mapping):
        return value.get(part)
    if isinstance(value, list) and str(part).isdecimal() and int(part) < len(value):
        return value[int(part)]
    return None

"""Keeps keys that no standard names, so that they can be replayed to the provider that sent them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent_tools.text.scrub import lenient_json


def absorb(kept: dict[str, Any], values: Mapping[str, Any], *, known: frozenset[str]) -> None:
    """Add the keys of a delta that are not `known`: lists grow, objects merge, of the rest the last stays.

    What no database and no other JSON parser takes (NUL, lone surrogates, NaN, bottomless nesting) is mended.
    """
    unknown = {key: value for key, value in values.items() if key not in known and value is not None}
    if unknown:
        _merge(kept, lenient_json(unknown).value)


def _merge(kept: dict[str, Any], values: Mapping[str, Any]) -> None:
    for key, value in values.items():
        before = kept.get(key)
        if value is None:
            continue
        if isinstance(before, list) and isinstance(value, list):
            before.extend(value)
        elif isinstance(value, Mapping):
            if not isinstance(before, dict):
                kept[key] = before = {}
            _merge(before, value)
        else:
            kept[key] = value

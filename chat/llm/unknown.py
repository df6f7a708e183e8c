"""Keeps keys that no standard names, so that they can be replayed to the provider that sent them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def absorb(kept: dict[str, Any], values: Mapping[str, Any], *, known: frozenset[str]) -> None:
    """Add the keys of a delta that are not `known`: lists grow, objects merge, of the rest the last stays."""
    for key, value in values.items():
        if key in known or value is None:
            continue
        before = kept.get(key)
        if isinstance(before, list) and isinstance(value, list):
            before.extend(value)
        elif isinstance(before, dict) and isinstance(value, Mapping):
            absorb(before, value, known=frozenset())
        elif isinstance(value, Mapping):
            kept[key] = {}
            absorb(kept[key], value, known=frozenset())
        else:
            kept[key] = list(value) if isinstance(value, list) else value

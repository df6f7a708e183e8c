"""Matches operators' rules against a call.

Rules lean to the safe side: a deny or an ask counts as soon as any value could be meant, an allow only where the
arguments clearly fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_jsonable_python

from agent_tools.contract.permissions import Action, Source, Verdict
from agent_tools.models import PermissionRule
from agent_tools.pipeline.globs import matches
from agent_tools.pipeline.running import Request

Value = tuple[str, str]
"""Where a value stands (the keys above it, joined by dots) and its text, booleans and null as JSON writes them."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The values of a call: as they were sent, and as they will count, defaults filled in."""

    sent: list[Value]
    effective: list[Value]


def verdicts_of(rules: Iterable[PermissionRule], slug: str, request: Request) -> list[Verdict]:
    """Return what the rules that apply say about a call."""
    for_tool = [rule for rule in rules if matches(rule.tool_pattern, slug)]
    if not for_tool:
        return []
    judged = Judged(list(_values(request.arguments)), list(_values(_effective(request))))
    return [
        Verdict(Action(rule.action), rule.reason, Source.RULE, str(rule.pk))
        for rule in for_tool
        if _applies(rule, judged)
    ]


def _applies(rule: PermissionRule, judged: Judged) -> bool:
    name, pattern = rule.argument_name, rule.argument_pattern
    if not pattern:
        return not name or any(_within(name, path) for path, _text in judged.sent)
    if rule.action == Action.ALLOW:
        return _clearly(name, pattern, judged.effective)
    pattern = pattern.casefold()
    values = [*judged.sent, *judged.effective]
    return any(_within(name, path) and matches(pattern, text.casefold()) for path, text in values)


def _within(name: str, path: str) -> bool:
    """Tell whether the name is a key anywhere above the value, or the dotted way to it."""
    return not name or f".{name}." in f".{path}."


def _clearly(name: str, pattern: str, values: Iterable[Value]) -> bool:
    """Tell whether every value below the named argument matches; without a name, any of the call's own arguments."""
    if not name:
        return any("." not in path and matches(pattern, text) for path, text in values)
    named = [text for path, text in values if f"{path}.".startswith(f"{name}.")]
    return bool(named) and all(matches(pattern, text) for text in named)


def _effective(request: Request) -> Mapping[str, Any]:
    dumped = request.tool_input.model_dump(by_alias=True, exclude_none=True)
    found = to_jsonable_python(dumped, fallback=str, inf_nan_mode="strings")
    return found if isinstance(found, Mapping) else {}


def _values(value: object, path: str = "") -> Iterator[Value]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _values(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _values(item, path)
    elif isinstance(value, str):
        yield path, value
    else:
        yield path, "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)

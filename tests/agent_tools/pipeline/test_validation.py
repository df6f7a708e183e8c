from __future__ import annotations

from typing import Any

import pytest

from agent_tools.contract.errors import InvalidInputError
from agent_tools.models import AgentTool
from agent_tools.pipeline.prepare import bind
from agent_tools.pipeline.running import Bound
from agent_tools.pipeline.validation import validated


@pytest.fixture
def shaped() -> Bound:
    return bind(AgentTool(name="s", slug="s", type="shaped", config={}))


def complaints(bound: Bound, arguments: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(InvalidInputError) as refusal:
        validated(bound, arguments)
    assert refusal.value.reason == "invalid_arguments"
    return {problem.field: problem.message for problem in refusal.value.problems}


def test_good_arguments_become_the_executors_input(shaped: Bound) -> None:
    request = validated(shaped, {"path": "a", "depth": None})
    assert request.tool_input.model_dump()["mode"] == "read"


@pytest.mark.parametrize(
    ("arguments", "field", "message"),
    [
        ({}, "path", "is required."),
        ({"path": 5}, "path", "must be a string, not a number."),
        ({"path": ""}, "path", "must have at least 1 characters."),
        ({"path": "x" * 21}, "path", "must have at most 20 characters."),
        ({"path": "a", "mode": "erase"}, "mode", 'must be one of "read", "write".'),
        ({"path": "a", "depth": 0}, "depth", "must be at least 1."),
        ({"path": "a", "depth": "3"}, "depth", "must be a whole number or null, not a string."),
        ({"path": "a", "depth": True}, "depth", "must be a whole number or null, not a boolean."),
        ({"path": "a", "headers": {"X": 1}}, "headers.X", "must be a string, not a number."),
        ({"path": "a", "headers": []}, "headers", "must be an object, not an array."),
        ({"path": "a", "items": [{}, 1]}, "items.1", "must be an object, not a number."),
        ({"path": "a", "items": [{}] * 4}, "items", "must have at most 3 items."),
        ({"path": "a", "dept": 1}, "dept", "there is no such argument; did you mean 'depth'?"),
    ],
)
def test_a_problem_names_the_field_and_what_it_may_be(
    shaped: Bound, arguments: dict[str, Any], field: str, message: str
) -> None:
    assert complaints(shaped, arguments)[field] == message


def test_an_unknown_argument_without_a_likeness_lists_the_known_ones(shaped: Bound) -> None:
    assert "known: depth, headers, items, mode, path." in complaints(shaped, {"path": "a", "zzz": 1})["zzz"]


def test_several_problems_are_told_at_once_but_not_endlessly(shaped: Bound) -> None:
    assert set(complaints(shaped, {"depth": 99, "mode": 1})) == {"path", "depth", "mode"}
    assert len(complaints(shaped, {f"unknown{number}": 1 for number in range(500)})) <= 8


def test_values_are_not_echoed(shaped: Bound) -> None:
    assert "hunter2" not in str(complaints(shaped, {"path": "hunter2 is far too long for it", "mode": "hunter2"}))

"""Places in a body are named by JSON Pointers."""

from __future__ import annotations

from typing import Any

import pytest

from agent_tools.api.pointers import flattened, located, nested, pointer
from agent_tools.contract.errors import Problem


@pytest.mark.parametrize(
    ("dotted", "value", "expected"),
    [
        ("", {}, ""),
        ("timeout", {}, "/timeout"),
        ("headers.X-Key", {"headers": {"X-Key": 1}}, "/headers/X-Key"),
        ("headers.X.Y", {"headers": {"X.Y": 1}}, "/headers/X.Y"),
        ("headers.X.Y.z", {"headers": {"X.Y": {"z": 1}}}, "/headers/X.Y/z"),
        ("headers.X.Y", {"headers": {}}, "/headers/X/Y"),
        ("list.1.name", {"list": [{}, {"name": 1}]}, "/list/1/name"),
        ("list.9.name", {"list": []}, "/list/9/name"),
        ("a/b.c~d", {"a/b": {"c~d": 1}}, "/a~1b/c~0d"),
        ("a.b", None, "/a/b"),
        ("a.b", "text", "/a/b"),
        ("a..b", {"a.": {"b": 1}}, "/a./b"),
    ],
)
def test_a_dotted_path_is_read_beside_its_value(dotted: str, value: Any, expected: str) -> None:
    assert pointer(located(dotted, value)) == expected


def test_problems_of_one_place_stand_together_and_come_back_flat() -> None:
    problems = [Problem("a.b", "one"), Problem("a.b", "two"), Problem("a", "three"), Problem("", "four")]
    assert sorted(flattened(nested(problems, {"a": {"b": 1}}))) == [
        ("", "four"),
        ("/a", "three"),
        ("/a/b", "one"),
        ("/a/b", "two"),
    ]

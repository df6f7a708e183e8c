"""The gate: what passes can be stored in UTF-8, in Postgres and in standard JSON."""

from __future__ import annotations

import json
import math
from collections import OrderedDict, deque
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tools.contract.errors import InvalidInputError
from agent_tools.text import scrub as scrubbing
from agent_tools.text.scrub import MAX_DEPTH, lenient_json, safe_text, strict_json


class Colour(Enum):
    RED = "red\0"


class Level(IntEnum):
    HIGH = 3


class Name(StrEnum):
    ADA = "ada"


class Marked(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "something else"


@dataclass
class Point:
    x: int
    label: str


class Broken:
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("text", "safe", "mended"),
    [
        ("", "", 0),
        ("plain é 😀\n\t\x1b[0m", "plain é 😀\n\t\x1b[0m", 0),
        ("a\0b\0", "ab", 2),
        ("\ud83d\ude00", "😀", 1),
        ("\ud800", "\ufffd", 1),
        ("\ude00\ud83d", "\ufffd\ufffd", 2),
        ("\ud83d\0\ude00", "😀", 2),
        ("x\udc80", "x\ufffd", 1),
    ],
)
def test_text_is_mended_and_counted(text: str, safe: str, mended: int) -> None:
    result = safe_text(text)
    assert (result.value, result.mended) == (safe, mended)


def test_a_kind_of_text_becomes_plain_text() -> None:
    assert type(safe_text(Marked("x")).value) is str
    assert strict_json([Marked("x"), Name.ADA]).value == ["x", "ada"]


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (datetime(2024, 1, 2, 3, tzinfo=UTC), "2024-01-02T03:00:00+00:00"),
        (date(2024, 1, 2), "2024-01-02"),
        (time(3, 4), "03:04:00"),
        (timedelta(hours=1), "1:00:00"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (Decimal("1.10"), "1.10"),
        (PurePosixPath("a/b"), "a/b"),
        (b"bytes", "bytes"),
        (bytearray(b"\xff\0"), "(2 bytes)"),
        (memoryview(b"m"), "m"),
        ({"b", "a"}, ["a", "b"]),
        (frozenset([1]), [1]),
        ((1, [2]), [1, [2]]),
        (deque([1]), [1]),
        (OrderedDict(a=1), {"a": 1}),
        (Colour.RED, "red"),
        (Level.HIGH, 3),
        (Fraction(1, 4), 0.25),
        (Point(1, "a\0"), {"x": 1, "label": "a"}),
        ({1: 1, None: 2, False: 3, 1.5: 4, Level.HIGH: 5}, {"1": 1, "null": 2, "false": 3, "1.5": 4, "3": 5}),
        ({(1, 2): 1}, {"(1, 2)": 1}),
        ({"a\0": 1, "a": 2}, {"a": 1, "a (2)": 2}),
        ({UUID(int=1): 1}, {"00000000-0000-0000-0000-000000000001": 1}),
    ],
)
def test_what_json_lacks_becomes_what_it_has(value: object, plain: object) -> None:
    for scrub in (strict_json, lenient_json):
        result = scrub(value).value
        assert result == plain
        json.dumps(result, allow_nan=False)


def circle() -> list[Any]:
    value: list[Any] = [1]
    value.append({"again": value})
    return value


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def doubled(levels: int) -> Any:
    value: Any = [1]
    for _ in range(levels):
        value = [value, value]
    return value


@pytest.mark.parametrize(
    ("value", "place", "instead"),
    [
        ({"a": [1, math.nan]}, "a.1", {"a": [1, "NaN"]}),
        ({"a": math.inf}, "a", {"a": "Infinity"}),
        ([-math.inf], "0", ["-Infinity"]),
        ([Decimal("NaN")], "0", ["NaN"]),
        ([Fraction(10**400)], "0", ["Infinity"]),
        ([10**5_000], "0", ["(integer of about 5001 digits)"]),
        ([object], "0", ["<class 'object'>"]),
        ([Broken()], "0", ["(Broken)"]),
        (circle(), "1.again", [1, {"again": "(circular)"}]),
    ],
)
def test_what_has_no_faithful_form_is_refused_by_place_or_described(value: object, place: str, instead: object) -> None:
    with pytest.raises(InvalidInputError) as caught:
        strict_json(value)
    assert caught.value.problems[0].field == place
    assert lenient_json(value).value == instead


def test_depth_is_bounded_however_deep_a_value_is() -> None:
    assert strict_json(nested(MAX_DEPTH)).value == nested(MAX_DEPTH)
    with pytest.raises(InvalidInputError, match="nesting deeper"):
        strict_json(nested(MAX_DEPTH + 1))
    assert "(nested too deep)" in json.dumps(lenient_json(nested(50_000)).value)


def test_shared_parts_are_no_circles_but_cannot_blow_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrubbing, "MAX_VALUES", 20_000)
    part = {"x": 1}
    assert strict_json([part, part]).value == [{"x": 1}, {"x": 1}]
    with pytest.raises(InvalidInputError, match="more than"):
        strict_json(doubled(60))
    assert "(too many values)" in str(lenient_json(doubled(60)).value)


def test_what_is_safe_already_is_copied_all_the_same() -> None:
    value: dict[str, Any] = {"a": [1, 2.5, None, True, "x"], "b": {"c": []}}
    copy = strict_json(value).value
    assert copy == value
    copy["a"].append(9)
    copy["b"]["c"].append(9)
    assert value == {"a": [1, 2.5, None, True, "x"], "b": {"c": []}}


def test_every_mended_character_counts_keys_too() -> None:
    assert strict_json({"a\0": ["\ud800", {"\0": "b"}]}).mended == 3


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.binary() | st.decimals(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters()) | st.integers() | st.none(), inner, max_size=4)
        | st.tuples(inner, inner)
    ),
    max_leaves=25,
)


@given(anything)
def test_whatever_passes_leniently_can_be_stored(value: object) -> None:
    stored = json.dumps(lenient_json(value).value, allow_nan=False, ensure_ascii=False)
    stored.encode("utf-8")
    assert "\\u0000" not in stored


@given(anything)
def test_scrubbing_twice_changes_nothing_more(value: object) -> None:
    once = lenient_json(value).value
    again = lenient_json(once)
    assert (again.value, again.mended) == (once, 0)

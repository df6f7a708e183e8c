from __future__ import annotations

import json
import uuid
from typing import Any

import pytest

from agent_tools.contract.errors import InvalidInputError
from agent_tools.pipeline.arguments import canonical, digest, read


@pytest.mark.parametrize("nothing", [None, "", "  \n", "null", " null ", {}, "{}"])
def test_absent_and_empty_arguments_are_an_empty_object(nothing: object) -> None:
    assert read(nothing) == {}


@pytest.mark.parametrize("given", ['{"x": 1}', {"x": 1}, ' {"x":1} '])
def test_text_and_object_arguments_are_the_same(given: object) -> None:
    assert read(given) == {"x": 1}


@pytest.mark.parametrize(
    ("given", "kind"),
    [("[]", "an array"), ("42", "a number"), ('"x"', "a string"), ("true", "a boolean"), ([1], "an array")],
)
def test_what_is_no_object_is_refused_by_its_kind(given: object, kind: str) -> None:
    with pytest.raises(InvalidInputError, match=kind) as refusal:
        read(given)
    assert refusal.value.reason == "not_an_object"


@pytest.mark.parametrize(
    "given",
    [
        '{"x": NaN}',
        '{"x": Infinity}',
        '{"x": [-Infinity]}',
        '{"x": 1e999}',
        '{"x": -1e999}',
        {"x": float("nan")},
        {"x": [float("inf")]},
    ],
)
def test_numbers_that_json_does_not_know_are_refused(given: object) -> None:
    with pytest.raises(InvalidInputError) as refusal:
        read(given)
    assert refusal.value.reason == "invalid_json"


@pytest.mark.parametrize(
    "cut",
    ['{"path": "a", "content": "hal', '{"path"', '{"path":', '{"path": "a",', "{", '{"a": [1,', '{"a": {"b": 1}'],
)
def test_arguments_that_end_early_are_never_completed(cut: str) -> None:
    with pytest.raises(InvalidInputError, match="cut short") as refusal:
        read(cut)
    assert refusal.value.reason == "truncated_arguments"


def test_arguments_of_a_cut_response_are_refused_even_where_they_parse() -> None:
    with pytest.raises(InvalidInputError) as refusal:
        read('{"path": "a"}', sealed=False)
    assert refusal.value.reason == "truncated_arguments"


@pytest.mark.parametrize(
    "broken", ["hello", "{'a': 1}", '{"a": 1} {"b": 2}', '{"a" 1}', "{a: 1}", '{"a": 1,}', '{"a": tru}']
)
def test_broken_json_names_the_place(broken: str) -> None:
    with pytest.raises(InvalidInputError, match="at character") as refusal:
        read(broken)
    assert refusal.value.reason == "invalid_json"


def test_a_raw_line_break_in_a_text_is_named_in_plain_words() -> None:
    with pytest.raises(InvalidInputError, match="Invalid control character at character 8"):
        read('{"a": "x\n"}')


@pytest.mark.parametrize(
    ("hostile", "what"),
    [
        ('{"a": 1, "a": 2}', "'a' twice"),
        ('{"o": {"b": 1, "b": 1}}', "'b' twice"),
        ('{"a":' * 90_000, "cut short|nested too deep"),
        ('{"a":' + "[" * 5_000 + "]" * 5_000 + "}", "nest"),
        ('{"a": ' + "1" * 5_000 + "}", "too long"),
        ('{"a": "' + "x" * 4_000_001 + '"}', "longer than"),
    ],
    ids=["twice", "twice within", "open", "deep", "digits", "long"],
)
def test_hostile_json_is_refused(hostile: str, what: str) -> None:
    with pytest.raises(InvalidInputError, match=what):
        read(hostile)


def test_texts_in_arguments_are_made_storable() -> None:
    arguments = read('{"a\\u0000b": "\\ud83d\\ude00 \\ud83d \\u0000"}')
    assert arguments == {"ab": "😀 \ufffd "}
    json.dumps(arguments, ensure_ascii=False).encode()


def test_an_object_may_hold_what_has_a_json_form() -> None:
    known = uuid.uuid4()
    assert read({"id": known, "many": (1, 2)}) == {"id": str(known), "many": [1, 2]}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"d": 3, "c": 2}, "a": 1}),
        ({"a": 1.0}, {"a": 1}),
        ({"a": [1.0, {"x": 2.0}]}, {"a": [1, {"x": 2}]}),
    ],
)
def test_equal_arguments_have_one_canonical_form(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert canonical(one) == canonical(other)
    assert digest(one) == digest(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [({"a": 1}, {"a": "1"}), ({"a": [1, 2]}, {"a": [2, 1]}), ({"a": True}, {"a": 1}), ({}, {"a": None})],
)
def test_different_arguments_have_different_forms(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert digest(one) != digest(other)

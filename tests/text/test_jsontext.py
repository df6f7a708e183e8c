"""JSON as servers send it, and every way in which it can be none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tools.text.jsontext import Parsed, Unparsed, parse_json


def parsed(body: bytes, content_type: str = "") -> Parsed:
    result = parse_json(body, content_type)
    assert isinstance(result, Parsed), result
    return result


def unparsed(body: bytes, *, truncated: bool = False) -> Unparsed:
    result = parse_json(body, truncated=truncated)
    assert isinstance(result, Unparsed), result
    return result


@pytest.mark.parametrize(
    "codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
)
def test_any_unicode_encoding_is_read(codec: str) -> None:
    assert parsed('{"é": [1, "😀"]}'.encode(codec)).value == {"é": [1, "😀"]}
    assert parsed("1".encode(codec)).value == 1


def test_a_stated_charset_is_used_and_a_quoted_meta_tag_is_not() -> None:
    assert parsed('{"é": 1}'.encode("latin-1"), "application/json; charset=latin1").value == {"é": 1}
    assert parsed('["<meta charset=gbk>é"]'.encode()).value == ["<meta charset=gbk>é"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"a":' * 100_000, "nested too deep"),
        (b"[" * 500 + b"]" * 500, "nesting deeper than 100 levels"),
        (b"9" * 5_000, "too many digits"),
        (b"-" + b"9" * 5_000, "too many digits"),
        (b"NaN", "NaN is not JSON"),
        (b"[1, -Infinity]", "-Infinity is not JSON"),
        (b'{"a": 1,}', "line 1, column"),
        (b"{'a': 1}", "line 1, column 2"),
        (b"[1\n,,]", "line 2, column 2"),
        (b"word", "line 1, column 1"),
        (b'"\x01"', "Invalid control character"),
    ],
)
def test_what_is_no_json_says_why_in_a_sentence(body: bytes, reason: str) -> None:
    failure = unparsed(body)
    assert reason in failure.error
    assert failure.error.endswith(".")
    assert failure.text == body.decode()


@pytest.mark.parametrize(
    ("body", "value", "note"),
    [
        (b"[1e400, -1e400, 1.5]", ["1e400", "-1e400", 1.5], "beyond the range"),
        (rb'["\ud800"]', ["\ufffd"], "removed or replaced: 1."),
        (rb'{"a\u0000b": "\u0000"}', {"ab": ""}, "removed or replaced: 2."),
        (b")]}'\n[1]", [1], "guard"),
        (b")]}',\n[1]", [1], "guard"),
        (b"for(;;);[1]", [1], "guard"),
        (b"while(1);[1]", [1], "guard"),
        (b"{}&& [1]", [1], "guard"),
    ],
)
def test_what_had_to_be_done_for_a_value_is_noted(body: bytes, value: object, note: str) -> None:
    result = parsed(body)
    assert result.value == value
    assert note in result.notes[0]


def test_surrogate_pairs_and_plain_values_need_no_note() -> None:
    assert parsed(rb'["\ud83d\ude00"]') == Parsed(["😀"])
    assert parsed(b"null") == Parsed(None)
    assert parsed(b"1" * 3_900).value == int("1" * 3_900)


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        (b"<!DOCTYPE html><p>x", "HTML"),
        (b"<error>x</error>", "HTML or XML"),
        (b'{"a":1}\n{"a":2}\n', "newline-delimited JSON of 2 lines"),
        (b'\x1e{"a":1}\n\x1e{"a":2}\n', "newline-delimited JSON of 2 lines"),
        (b'callback({"a": 1});', "JSONP"),
    ],
)
def test_what_it_looks_like_instead_is_hinted(body: bytes, hint: str) -> None:
    assert hint in unparsed(body).notes[0]


def test_a_body_that_was_cut_says_so() -> None:
    assert "cut short" in unparsed(b'{"a": [1, 2', truncated=True).notes[0]
    assert "newline-delimited" in unparsed(b'{"a":1}\n{"a":2}\n{"a', truncated=True).notes[1]
    assert unparsed('["中'.encode()[:-1], truncated=True).text == '["'


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(json_values)
def test_a_value_without_flaws_comes_back_unchanged(value: object) -> None:
    body = json.dumps(value)
    if r"\u0000" not in body:
        assert parsed(body.encode()).value == value


@given(st.binary(max_size=300))
def test_no_bytes_make_it_raise_and_every_value_can_be_stored(body: bytes) -> None:
    result = parse_json(body)
    if isinstance(result, Parsed):
        assert "\0" not in json.dumps(result.value, allow_nan=False, ensure_ascii=False).encode().decode()

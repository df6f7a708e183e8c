from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.llm.arguments import is_cut, parse_object, resolve
from chat.llm.scrub import Scrubber, scrub, scrub_deep
from chat.llm.unknown import absorb
from chat.llm.usage import Usage, UsageTally, estimate_tokens

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=30)


@pytest.mark.parametrize(
    ("text", "clean", "lost"),
    [
        ("plain é 😀", "plain é 😀", 0),
        ("\ud83d\ude00", "😀", 0),
        ("a\ud83db", "a\ufffdb", 1),
        ("\ude00\ud83d", "\ufffd\ufffd", 2),
        ("a\x00b", "ab", 1),
    ],
)
def test_pairs_are_joined_lone_surrogates_replaced_and_nul_dropped(text: str, clean: str, lost: int) -> None:
    assert scrub(text) == (clean, lost)


@given(ANY_TEXT, st.lists(st.integers(0, 30)))
def test_a_torn_text_is_scrubbed_like_a_whole_one(text: str, cuts: list[int]) -> None:
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    scrubber = Scrubber()
    told = [scrubber.feed(text[start:end]) for start, end in pairwise(places)]
    assert ("".join(told) + scrubber.close(), scrubber.lost) == scrub(text)
    "".join(told).encode()


def test_data_is_scrubbed_to_its_depth_keys_too() -> None:
    told = scrub_deep({"a\x00": ["\ud83d", float("nan"), float("inf"), 1.5, None, True], 3: ("x",)})
    assert told == {"a": ["\ufffd", "nan", "inf", 1.5, None, True], "3": ["x"]}
    json.dumps(told, allow_nan=False)


@pytest.mark.parametrize("text", ["", "{", '{"a', '{"a":', '{"a":[1', '{"a":"x\\"', '{"a":"}'])
def test_a_text_that_stops_inside_is_cut(text: str) -> None:
    assert is_cut(text) == bool(text)


@pytest.mark.parametrize("text", ["{}", '{"a":"{"}', "17", "{'a': 1}", "}", '{"a":1}}', "null"])
def test_a_text_that_is_closed_is_not_cut(text: str) -> None:
    assert not is_cut(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=5), JSON, min_size=1, max_size=4)


@given(OBJECTS, st.lists(st.integers(1, 200), max_size=6))
def test_however_arguments_are_cut_they_are_the_same_appended_or_repeated(
    value: dict[str, object], cuts: list[int]
) -> None:
    text = json.dumps(value)
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[start:end] for start, end in pairwise(places)]
    assert resolve(pieces) == (text, False)
    grown = [text[:end] for end in places[1:]]
    assert resolve(grown)[0] == text
    assert resolve([*pieces, text])[0] == text


@given(OBJECTS)
def test_every_true_beginning_of_arguments_is_seen_as_cut(value: dict[str, object]) -> None:
    text = json.dumps(value)
    assert all(is_cut(text[:end]) and parse_object(text[:end]) is None for end in range(1, len(text)))


def test_huge_numbers_and_depths_are_no_objects() -> None:
    assert parse_object('{"a":' + "9" * 5000 + "}") is None
    assert parse_object('{"a":' * 100_000) is None


def test_unknown_keys_are_kept_lists_grow_and_objects_merge() -> None:
    kept: dict[str, object] = {}
    absorb(kept, {"role": "x", "details": [1], "more": {"a": 1}, "sign": "s1", "none": None}, known=frozenset({"role"}))
    absorb(kept, {"details": [2], "more": {"b": [3]}, "sign": "s2"}, known=frozenset())
    assert kept == {"details": [1, 2], "more": {"a": 1, "b": [3]}, "sign": "s2"}


def test_what_is_kept_does_not_change_what_was_sent() -> None:
    sent = {"details": [1], "more": {"a": {"b": 1}}}
    kept: dict[str, object] = {}
    absorb(kept, sent, known=frozenset())
    absorb(kept, {"details": [2], "more": {"a": {"b": 2}}}, known=frozenset())
    assert sent == {"details": [1], "more": {"a": {"b": 1}}}


def test_unknown_keys_are_made_fit_to_be_stored_and_sent_on() -> None:
    nested: dict[str, object] = {}
    for _ in range(3_000):
        nested = {"n": nested}
    kept: dict[str, object] = {}
    absorb(kept, {"a\x00": "\ud83d\x00b", "x": float("nan"), "list": ["\ud83d"], "deep": nested}, known=frozenset())
    absorb(kept, {"list": [{"y": float("inf")}]}, known=frozenset())
    text = json.dumps(kept, allow_nan=False, ensure_ascii=False)
    assert "\\u0000" not in text
    text.encode()


@pytest.mark.parametrize(
    ("reports", "usage"),
    [
        ([{"prompt_tokens": 10, "completion_tokens": 1}, {"completion_tokens": 50}], Usage(10, 50)),
        ([{"completion_tokens": count} for count in (10, 50, 100)], Usage(0, 100)),
        ([{"input_tokens": 3, "output_tokens": 4}], Usage(3, 4)),
        ([{"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 5}}], Usage(9, 0, 5)),
        ([{"prompt_tokens": 9, "prompt_cache_hit_tokens": 5}], Usage(9, 0, 5)),
        ([{"completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 5}}], Usage(0, 9, 0, 5)),
        ([{"prompt_tokens": "12", "completion_tokens": 3.0}], Usage(12, 3)),
        ([{"prompt_tokens": 5}, {"prompt_tokens": None}, None, "x", []], Usage(5, 0)),
        ([{"prompt_tokens": 5, "completion_tokens": -1}], Usage(5, 0)),
        ([{"prompt_tokens": 5, "completion_tokens": True}], Usage(5, 0)),
        ([{"prompt_tokens": 5, "completion_tokens": 1e300}], Usage(5, 0)),
        ([{"prompt_tokens": 5, "completion_tokens": "many"}], Usage(5, 0)),
    ],
)
def test_the_last_report_of_each_number_counts(reports: list[object], usage: Usage) -> None:
    tally = UsageTally()
    for report in reports:
        tally.update(report)
    told = tally.result()
    assert told is not None
    assert (told.input_tokens, told.output_tokens) == (usage.input_tokens, usage.output_tokens)
    assert (told.cached_tokens, told.reasoning_tokens) == (usage.cached_tokens, usage.reasoning_tokens)
    assert not told.estimated


def test_no_report_is_no_usage() -> None:
    tally = UsageTally()
    tally.update({"total": "unknown"})
    assert tally.result() is None


def test_estimates_know_that_other_scripts_cost_more() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("four") == 1
    assert estimate_tokens("你好世界吗吗") == 4
    assert estimate_tokens("\ud83d") == 1

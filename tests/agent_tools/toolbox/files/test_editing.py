"""What an edit makes of a text, without any file."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tools.contract.errors import RefusedError
from agent_tools.toolbox.files.editing import Edited, edit

MOST = 10_000_000
SIGNS = st.text(st.sampled_from("ab \t\n"), max_size=8)


def edited(text: str, old: str, new: str, *, replace_all: bool = False, most: int = MOST) -> Edited:
    return edit(text, old, new, replace_all=replace_all, most=most)


def refused(text: str, old: str, new: str = "x", *, replace_all: bool = False, most: int = MOST) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        edited(text, old, new, replace_all=replace_all, most=most)
    return caught.value


@given(before=st.text(), old=st.text(min_size=1), after=st.text(), new=st.text())
def test_a_unique_passage_is_replaced_as_python_would(before: str, old: str, after: str, new: str) -> None:
    text, old, new = (before + old + after).replace("\r", ""), old.replace("\r", ""), new.replace("\r", "")
    if not old or old == new:
        return
    starts = [at for at in range(len(text)) if text.startswith(old, at)]
    if len(starts) == 1:
        assert edited(text, old, new) == Edited(text.replace(old, new), 1)
    else:
        assert refused(text, old, new).reason == "not_unique"
        assert edited(text, old, new, replace_all=True) == Edited(text.replace(old, new), text.count(old))


@given(lines=st.lists(st.tuples(SIGNS, st.sampled_from(["\n", "\r\n"])), max_size=6), old=SIGNS, new=SIGNS)
def test_line_ends_of_any_mixture_are_seen_as_lf_and_stay_where_they_are(
    lines: list[tuple[str, str]], old: str, new: str
) -> None:
    text = "".join(line.replace("\n", "") + end for line, end in lines)
    seen = text.replace("\r\n", "\n")
    if not old or old == new or old not in seen:
        return
    after = edited(text, old, new, replace_all=True).text
    assert after.replace("\r\n", "\n") == seen.replace(old, new)
    if "\r\n" in text and text.count("\n") == text.count("\r\n"):
        assert not re.search(r"(?<!\r)\n", after)
    if "\r\n" not in text:
        assert "\r" not in after


@pytest.mark.parametrize(
    ("text", "old", "new", "after"),
    [
        ("a\r\nb\r\nc\nd\n", "c\nd", "c\nx\nd", "a\r\nb\r\nc\nx\nd\n"),
        ("a\r\nb\r\nc\nd\n", "a\nb\nc\nd", "a\nb\nX\nd", "a\r\nb\r\nX\nd\n"),
        ("a\r\nb\nc\n", "a", "a\na2", "a\r\na2\r\nb\nc\n"),
        ("a\r\nb\nc", "c", "c\nd", "a\r\nb\nc\nd"),
        ("a\r\nb", "a\r\nb", "a\nb", "a\nb"),
        ("a\r\nb\r\n", "\r\n", "\n", "a\nb\n"),
        ("a\nb", "b", "b\r\nc", "a\nb\r\nc"),
        ("a\rb\rc", "a\nb", "a\nX\nb", "a\rX\rb\rc"),
        ("a\r\nb\r\n", "b\n", "", "a\r\n"),
        ("a\nb\rc\n", "b\rc", "d", "a\nd\n"),
    ],
)
def test_new_lines_end_as_those_around_them(text: str, old: str, new: str, after: str) -> None:
    assert edited(text, old, new, replace_all=True).text == after


def test_the_same_lines_with_other_ends_count_as_the_same_passage() -> None:
    error = refused("a\nb\n-\na\r\nb\r\n", "a\nb")
    assert error.reason == "not_unique"
    assert "2 times, in lines 1, 4." in error.message


def test_passages_that_overlap_are_not_unique() -> None:
    assert refused("aaa", "aa").reason == "not_unique"
    assert edited("aaa", "aa", "b", replace_all=True) == Edited("ba", 1)


def test_many_places_are_counted_and_the_first_named() -> None:
    assert "1,000 times, in lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 …" in refused("a\n" * 1_000, "a").message
    assert "2 times, in lines 1, 3." in refused("a\rb\ra\r", "a").message


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [("", "x", "invalid_arguments"), ("a", "a", "nothing_to_do"), ("a\nb", "a\r\nb", "nothing_to_do")],
)
def test_an_edit_that_is_none_is_refused(old: str, new: str, reason: str) -> None:
    assert refused("a\r\nb", old, new).reason == reason


def test_what_would_outgrow_the_limit_is_refused_before_it_is_made() -> None:
    error = refused("a" * 1_000_000, "a", "b" * 1_000_000, replace_all=True)
    assert error.reason == "too_large"
    assert "1,000,000,000,000 characters" in error.message


def test_a_huge_passage_in_a_huge_text_is_answered_soon() -> None:
    began = time.monotonic()
    text = "\n".join(f"value {n} of the table" for n in range(100_000))
    for passage in (
        "\n".join(f"value {n} of a table" for n in range(5_000)),
        "y" * 1_000_000,
        "value " * 200_000,
        "\n" * 200_000,
    ):
        assert len(refused(text, passage).message) < 4_000
    for line in ("x" * 10_000_000, '{"key": "value"}, ' * 100_000):
        assert len(refused(line, "xy").message) < 4_000
        assert len(refused(line, line[:1_000_000] + "y").message) < 4_000
    assert edited("xy\r\n" * 200_000 + "\n", "x", "x\nz", replace_all=True).replacements == 200_000
    assert time.monotonic() - began < 90

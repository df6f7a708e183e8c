"""Lines that two texts have in common."""

from __future__ import annotations

import random
import time

from hypothesis import given
from hypothesis import strategies as st

from agent_tools.toolbox.files.matching import blocks_in_common

LINES = st.lists(st.sampled_from("abcd"), max_size=20)


def common(old: list[str], new: list[str]) -> int:
    """Return how many lines a longest common subsequence has."""
    row = [0] * (len(new) + 1)
    for one in old:
        before = row
        row = [0]
        for at, other in enumerate(new):
            row.append(before[at] + 1 if one == other else max(before[at + 1], row[at]))
    return row[-1]


@given(old=LINES, new=LINES)
def test_short_texts_have_as_much_in_common_as_can_be(old: list[str], new: list[str]) -> None:
    blocks = blocks_in_common(old, new)
    assert sum(length for _, _, length in blocks) == common(old, new)
    at = new_at = 0
    for start, new_start, length in blocks:
        assert length > 0
        assert start >= at
        assert new_start >= new_at
        assert (start, new_start) != (at, new_at) or not at
        assert old[start : start + length] == new[new_start : new_start + length]
        at, new_at = start + length, new_start + length


def test_changes_far_apart_in_a_long_text_stay_apart() -> None:
    old = [f"line {number}" for number in range(100_000)]
    new = ["first", *old[1:50_000], "more", *old[50_000:-1], "last"]
    assert blocks_in_common(old, new) == [(1, 1, 49_999), (50_000, 50_001, 49_999)]


def test_lines_that_repeat_are_matched_where_they_stand_when_there_are_too_many() -> None:
    old = ["a", "b"] * 10_000
    new = [line.upper() if number % 10 == 0 else line for number, line in enumerate(old)]
    assert sum(length for _, _, length in blocks_in_common(old, new)) >= 18_000


def test_no_texts_take_long() -> None:
    dice = random.Random(1)
    size = 5_000
    began = time.monotonic()
    for signs in (2, 2_000):
        one, other = ([str(dice.randrange(signs)) for _ in range(size + extra)] for extra in (0, 1))
        blocks_in_common(one, other)
    blank = [[sign for n in range(size) for sign in (f"{name}{n}", "")] for name in "ab"]
    blocks_in_common(*blank)
    ladder = [str(n) for n in range(size)]
    blocks_in_common(ladder, ladder[::-1])
    blocks_in_common([*ladder, *ladder], [*ladder[::-1], *ladder[::-1]])
    assert time.monotonic() - began < 90

"""Cuts that a reader does not stumble over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tools.text.trim import close_fence, cut, preview, window

FAMILY = "👩\u200d👩\u200d👧"
FLAG = "\U0001f1eb\U0001f1f7"
CLUSTERS = [
    "e\u0301",
    FAMILY,
    FLAG,
    "👍\U0001f3fd",
    "\r\n",
    "\u1112\u1161\u11ab",
    "न\u0940",
    "\U0001f3f4\U000e0067\U000e007f",
]


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("short", 10, "short"),
        ("exact", 5, "exact"),
        ("one two three four", 16, "one two three"),
        ("A good long sentence. And more", 24, "A good long sentence."),
        ("一二三四五六七八九。十一二", 11, "一二三四五六七八九。"),
        ("line one is here\nline two", 18, "line one is here"),
        ("paragraph one\n\nparagraph two", 16, "paragraph one"),
        ("x" * 20, 7, "x" * 7),
        ("abc", 0, ""),
    ],
)
def test_a_cut_ends_where_something_ends(text: str, limit: int, kept: str) -> None:
    assert cut(text, limit).text == kept


def test_a_cut_says_how_much_is_missing() -> None:
    assert cut("one two three", 8).dropped == len("three")
    assert cut("one", 8).dropped == 0


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_what_a_reader_sees_as_one_character_is_not_split(cluster: str) -> None:
    text = cluster * 6
    for length in range(1, len(text)):
        assert len(window(text, 0, length).text) % len(cluster) == 0
        assert len(cut(f"{text}end", length).text.rstrip()) % len(cluster) in {0, len(cluster.rstrip())}


def test_a_window_that_starts_inside_a_character_begins_with_all_of_it() -> None:
    assert window(f"ab{FAMILY}c", 4, 10).start == 2
    assert window("e\u0301x", 1, 10).text == "e\u0301x"


def test_windows_at_and_beyond_the_ends() -> None:
    assert (window("abc", 0, 3).text, window("abc", 0, 3).next_index) == ("abc", None)
    assert (window("abc", 7, 3).text, window("abc", 7, 3).next_index, window("abc", 7, 3).start) == ("", None, 3)
    assert window("abc", -5, 2).text == "ab"
    assert window("", 0, 5).total == 0


PIECES = ["a", " ", "\n", ".", *CLUSTERS, "\u0301", "\u200d", "\ud83d", "\ude00"]


@given(st.lists(st.sampled_from(PIECES), max_size=80).map("".join), st.integers(-1, 40))
def test_windows_read_one_after_the_other_give_the_whole_text(text: str, length: int) -> None:
    index: int | None = 0
    parts = []
    for _ in range(len(text) + 2):
        if index is None:
            break
        part = window(text, index, length)
        assert part.start == index
        parts.append(part.text)
        index = part.next_index
    assert index is None
    assert "".join(parts) == text


def test_endless_decoration_is_split_after_all() -> None:
    text = "a" + "\u0301" * 1_000
    assert len(cut(text, 300).text) == 300
    first = window(text, 0, 10)
    assert first.next_index is not None
    assert first.next_index < 100


def test_a_preview_shows_both_ends_and_counts_the_middle() -> None:
    text = "\n".join(f"line {number}" for number in range(100))
    shown = preview(text, 40, 20)
    first, said, last = shown.partition("[…")
    assert text.startswith(first.rstrip())
    assert text.endswith(last.partition("…]")[2].strip())
    omitted = int(said and last.split()[0])
    assert omitted + len(first.rstrip()) + len(last.partition("…]\n")[2]) == len(text)
    assert preview("short", 40, 20) == "short"
    assert preview(text, 0, 10).startswith("[…")
    assert preview(text, 10, 0).endswith("…]")


@pytest.mark.parametrize(
    ("markdown", "closed"),
    [
        ("text", "text"),
        ("```py\ncode", "```py\ncode\n```"),
        ("```\ncode\n```\nafter", "```\ncode\n```\nafter"),
        ("````\n```\ncode", "````\n```\ncode\n````"),
        ("- item\n\n  ```\n  code", "- item\n\n  ```\n  code\n  ```"),
        ("- ```\n  code", "- ```\n  code\n  ```"),
        ("> ```\n> code", "> ```\n> code\n> ```"),
        ("~~~\n```", "~~~\n```\n~~~"),
        ("``` `x` ```", "``` `x` ```"),
    ],
)
def test_an_open_block_of_code_is_closed(markdown: str, closed: str) -> None:
    assert close_fence(markdown) == closed

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tools.toolbox.files.diffs import diff_of

LINES = st.lists(st.sampled_from(["a", "b", "c", "", " d"]), max_size=12)


@pytest.mark.skipif(shutil.which("patch") is None, reason="patch is not installed")
@given(old=LINES, new=LINES, ends=st.tuples(st.booleans(), st.booleans()))
def test_patch_makes_the_new_text_of_the_old_one(old: list[str], new: list[str], ends: tuple[bool, bool]) -> None:
    before, after = (
        "\n".join(text) + ("\n" if end and text else "") for text, end in zip((old, new), ends, strict=True)
    )
    diff = diff_of(before, after)
    if before == after:
        assert (diff.text, diff.added, diff.removed) == ("", 0, 0)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "f"
        path.write_text(before)
        text = f"--- f\n+++ f\n{diff.text}\n"
        done = subprocess.run(["patch", "-s", str(path)], input=text, text=True, capture_output=True, check=False)
        assert done.returncode == 0, (text, done)
        assert (path.read_text() if path.exists() else "") == after


def test_a_diff_counts_lines_and_names_the_missing_last_newline() -> None:
    diff = diff_of("one\ntwo\nthree\n", "one\n2\nthree")
    assert diff.text == "@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+three\n\\ No newline at end of file"
    assert (diff.added, diff.removed) == (2, 2)


def test_line_ends_alone_are_a_difference_and_else_none() -> None:
    assert diff_of("a\r\nb\r\n", "a\r\nc\r\n").text == "@@ -1,2 +1,2 @@\n a\n-b\n+c"
    assert diff_of("a\r\n", "a\n").removed == 1
    assert diff_of("a\r\nb\r\n", "a\nb\r\n").text == "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r"
    assert diff_of("a\r\nb", "a\nb").text.endswith("\n b\n\\ No newline at end of file")
    assert diff_of("a\rb\rc", "a\rB\rc").text.startswith("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c")


def test_changes_at_both_ends_of_a_long_text_are_two_hunks() -> None:
    lines = [f"line {number}" for number in range(5_000)]
    diff = diff_of("\n".join(lines), "\n".join(["first", *lines[1:-1], "last"]))
    assert (diff.added, diff.removed, diff.text.count("@@ -")) == (2, 2, 2)


def test_a_reader_gets_long_lines_cut_and_a_program_whole_ones() -> None:
    diff = diff_of("x" * 5_000 + "\nb\n", "y" * 5_000 + "\nc\n")
    assert diff.beginning(2_000).splitlines()[1] == "-" + "x" * 299 + "…"
    assert diff.beginning(400).endswith("\n[2 more lines of this diff]")
    assert diff.cut(5_100).splitlines() == ["@@ -1,2 +1,2 @@", "-" + "x" * 5_000, "-b"]
    assert diff.cut(20_000) == diff.text


def test_large_texts_that_have_nothing_in_common_are_compared_in_bounded_time() -> None:
    began = time.monotonic()
    diff = diff_of("\n".join(f"a{n}" for n in range(60_000)), "\n".join(f"b{n}" for n in range(60_000)))
    assert time.monotonic() - began < 20
    assert (diff.added, diff.removed) == (60_000, 60_000)
    shown = diff.beginning(1_000).splitlines()
    assert shown[-1] == f"[{120_003 - len(shown) + 1:,} more lines of this diff]"
    assert len(diff.text) < 210_000


@given(
    old=st.lists(st.sampled_from(["a", "b", "", " d", "-", "+x", "@@", "é\u2028\x0c"]), max_size=30),
    edits=st.lists(st.tuples(st.integers(0, 29), st.sampled_from(["", "new", "b", "c\nd"])), max_size=5),
    ends=st.tuples(st.booleans(), st.booleans()),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_a_diff_read_back_makes_the_new_text_of_the_old_one(
    old: list[str], edits: list[tuple[int, str]], ends: tuple[bool, bool], line_end: str
) -> None:
    new = list(old)
    for at, line in edits:
        new[at : at + 1] = line.split("\n") if line else []
    before, after = ("\n".join(text) + ("\n" if end else "") for text, end in zip((old, new), ends, strict=True))
    diff = diff_of(before.replace("\n", line_end), after.replace("\n", line_end))
    assert applied(before, diff.text) == after
    signs = [line[:1] for line in diff.text.split("\n")]
    assert (signs.count("+"), signs.count("-")) == (diff.added, diff.removed)


def applied(before: str, diff: str) -> str:
    """Apply a unified diff as its format says, checking what it says of the text before."""
    old = [line for line in re.split(r"(?<=\n)", before) if line]
    made: list[str] = []
    at = 0
    for line in re.findall(r"[^\n]*\n(?:\\ No newline at end of file(?:\n|$))?", f"{diff}\n" if diff else ""):
        sign, text = line[0], line[1 : line.index("\n") + 1]
        text = text.removesuffix("\n") if line.count("\n") > 1 else text
        if sign == "@":
            start, _, count = line.split()[1].removeprefix("-").partition(",")
            made += old[at : int(start) - (count != "0")]
            at = int(start) - (count != "0")
            continue
        if sign in " -":
            assert old[at] == text
            at += 1
        if sign in " +":
            made.append(text)
    return "".join([*made, *old[at:]])

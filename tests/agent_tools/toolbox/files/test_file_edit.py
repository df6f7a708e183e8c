"""Editing: exact, faithful to the file's own form, and helpful where nothing matches."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tools.contract.context import Scope
from agent_tools.contract.errors import RefusedError
from agent_tools.contract.result import ToolResult
from agent_tools.toolbox.files.editing import edit
from tests.fakes.batches import make_tools, run_one

pytestmark = pytest.mark.django_db(transaction=True)


async def edited(session: Scope, path: str, old: str, new: str, *, all_of_them: bool = False) -> ToolResult:
    return await run_one("file_edit", session, path=path, old_string=old, new_string=new, replace_all=all_of_them)


@pytest.fixture(autouse=True)
async def _tools(transactional_db: None) -> None:
    await make_tools("read_file", "file_edit")


@pytest.mark.parametrize(
    ("octets", "old", "new", "after"),
    [
        (b"a\r\nb\r\nc", "a\nb", "x\ny", b"x\r\ny\r\nc"),
        (b"a\r\nb\r\n", "b", "b\nb2", b"a\r\nb\r\nb2\r\n"),
        (b"a\nb\r\nc\n", "c", "d", b"a\nb\r\nd\n"),
        (b"a\rb\rc", "b", "x", b"a\rx\rc"),
        (b"\xef\xbb\xbfa b", "a", "c", b"\xef\xbb\xbfc b"),
        ("Grüße an alle Leute".encode("utf-16"), "alle", "viele", "Grüße an viele Leute".encode("utf-16")),
        ("Die Größe der Bären".encode("latin-1"), "Bären", "Wölfe", "Die Größe der Wölfe".encode("latin-1")),
        (b"\tx = 1  \n\ty", "x = 1", "x = 2", b"\tx = 2  \n\ty"),
        (b"no end", "end", "newline", b"no newline"),
    ],
)
async def test_all_but_the_passage_stays_as_it_was(
    session: Scope, workspace: Path, octets: bytes, old: str, new: str, after: bytes
) -> None:
    path = workspace / "f.txt"
    path.write_bytes(octets)
    await run_one("read_file", session, path="f.txt")
    result = await edited(session, "f.txt", old, new)
    assert result.success, result.error
    assert path.read_bytes() == after


async def test_an_edit_shows_its_diff_and_needs_no_reading_afterwards(session: Scope, workspace: Path) -> None:
    path = workspace / "f.txt"
    path.write_text("one\ntwo\none\n")
    assert (await edited(session, "f.txt", "two", "2")).reason == "not_read"
    await run_one("read_file", session, path="f.txt", limit=1)
    result = await edited(session, "f.txt", "two", "2")
    assert result.content == "Edited workspace/f.txt in one place (+1 -1).\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n one"
    assert (result.data["added"], result.data["removed"], result.data["replacements"]) == (1, 1, 1)
    twice = await edited(session, "f.txt", "one", "1")
    assert twice.reason == "not_unique"
    assert "2 times, in lines 1, 3" in twice.content
    assert (await edited(session, "f.txt", "one", "1", all_of_them=True)).data["replacements"] == 2
    path.write_text("somebody else\n")
    assert (await edited(session, "f.txt", "somebody", "nobody")).reason == "changed"
    path.unlink()
    assert (await edited(session, "f.txt", "somebody", "nobody")).reason == "not_found"
    (workspace / "binary").write_bytes(b"\0\1\2" * 100)
    await run_one("read_file", session, path="binary")
    assert (await edited(session, "binary", "a", "b")).reason == "not_text"


async def test_a_sign_that_the_charset_lacks_is_named(session: Scope, workspace: Path) -> None:
    (workspace / "f.txt").write_bytes("Über die Größe der Bären".encode("latin-1"))
    await run_one("read_file", session, path="f.txt")
    result = await edited(session, "f.txt", "Bären", "Bären ☃")
    assert result.reason == "not_encodable"
    assert "U+2603" in result.content


TEXT = 'def area(r):\n\treturn 3.14 * r ** 2\n\nprint("area is", area(2))\n'


@pytest.mark.parametrize(
    ("passage", "words"),
    [
        ("def area(r):\n    return 3.14 * r ** 2", "only in blanks, tabs or indentation"),
        ("def area(r):  \n\treturn 3.14 * r ** 2", "only in blanks at the ends of lines"),
        ("print(“area is”, area(2))", "only in look-alike signs"),
        ("def Area(r):", "only in upper and lower case"),
        ("     1\tdef area(r):\n     2\t\treturn 3.14 * r ** 2", "leave them out"),
        ("return 3.14159 * r ** 2", "line 2:"),
        ("entirely different", "Nothing in the file resembles it"),
    ],
)
def test_where_nothing_matches_the_nearest_is_shown_with_what_differs(passage: str, words: str) -> None:
    with pytest.raises(RefusedError) as caught:
        edit(TEXT, passage, "x", replace_all=False)
    assert caught.value.reason == "no_match"
    assert words in caught.value.message


def test_a_huge_passage_in_a_huge_text_is_answered_soon() -> None:
    began = time.monotonic()
    text = "\n".join(f"value {n} of the table" for n in range(300_000))
    for passage in ("\n".join(f"value {n} of a table" for n in range(5_000)), "y" * 1_000_000):
        with pytest.raises(RefusedError) as caught:
            edit(text, passage, "x", replace_all=False)
        assert len(caught.value.message) < 20_000
    with pytest.raises(RefusedError):
        edit("x" * 10_000_000, "xy", "z", replace_all=False)
    assert time.monotonic() - began < 60


@pytest.mark.parametrize(("old", "new", "reason"), [("", "x", "invalid_arguments"), ("a", "a", "nothing_to_do")])
def test_an_edit_that_is_none_is_refused(old: str, new: str, reason: str) -> None:
    with pytest.raises(RefusedError) as caught:
        edit("a", old, new, replace_all=False)
    assert caught.value.reason == reason


@given(before=st.text(), old=st.text(min_size=1), after=st.text(), new=st.text())
def test_a_unique_passage_is_replaced_as_python_would(before: str, old: str, after: str, new: str) -> None:
    text = (before + old + after).replace("\r", "")
    old, new = old.replace("\r", ""), new.replace("\r", "")
    if not old or old == new or text.count(old) != 1:
        return
    assert edit(text, old, new, replace_all=False).text == text.replace(old, new)

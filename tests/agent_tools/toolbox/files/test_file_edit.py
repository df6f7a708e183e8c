"""Editing: exact, faithful to the file's own form, and helpful where nothing matches."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tools.contract.context import Scope
from agent_tools.contract.result import ToolResult
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

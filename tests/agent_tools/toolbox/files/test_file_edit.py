"""Editing: exact, faithful to the file's own form, and helpful where nothing matches."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agent_tools.contract.context import Scope
from agent_tools.contract.result import ToolResult
from tests.fakes.batches import make_tools, run_one, scope

pytestmark = pytest.mark.django_db(transaction=True)
STARS = "天文学家观测了这颗恒星的光谱并且测量了它的视向速度。"


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
        (b"a\rb\rc", "a\nb", "a\n2\nb", b"a\r2\rb\rc"),
        (b"a\r\nb\nc\r\n", "a\nb\nc", "a\nB\nc", b"a\r\nB\nc\r\n"),
        (STARS.encode("gb18030"), "恒星", "行星", STARS.replace("恒星", "行星").encode("gb18030")),
        (
            "a few words\n".encode("utf-16-le") * 2,
            "words\na",
            "words\nA",
            "a few words\nA few words\n".encode("utf-16-le"),
        ),
        ("a few words".encode("utf-32"), "few", "Ω", "a Ω words".encode("utf-32")),
        (b"", "x", "y", None),
        (b"\xff\xfe\x00broken \xd8", "x", "y", None),
        (b"\xef\xbb\xbfa b", "a", "c", b"\xef\xbb\xbfc b"),
        ("Grüße an alle Leute".encode("utf-16"), "alle", "viele", "Grüße an viele Leute".encode("utf-16")),
        ("Die Größe der Bären".encode("latin-1"), "Bären", "Wölfe", "Die Größe der Wölfe".encode("latin-1")),
        (b"\tx = 1  \n\ty", "x = 1", "x = 2", b"\tx = 2  \n\ty"),
        (b"no end", "end", "newline", b"no newline"),
    ],
)
async def test_all_but_the_passage_stays_as_it_was(
    session: Scope, workspace: Path, octets: bytes, old: str, new: str, after: bytes | None
) -> None:
    path = workspace / "f.txt"
    path.write_bytes(octets)
    await run_one("read_file", session, path="f.txt")
    result = await edited(session, "f.txt", old, new)
    assert result.success == (after is not None), result.error
    assert path.read_bytes() == (octets if after is None else after)


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
    assert (workspace / "f.txt").read_bytes() == "Über die Größe der Bären".encode("latin-1")


async def test_an_edit_after_which_the_file_will_be_read_otherwise_says_so(session: Scope, workspace: Path) -> None:
    (workspace / "page.html").write_bytes('<meta charset="iso-8859-1"><p>Grüße an die Bären'.encode("latin-1"))
    await run_one("read_file", session, path="page.html")
    result = await edited(session, "page.html", "iso-8859-1", "iso-8859-7")
    assert result.content.split("\n")[0].endswith("It is windows-1252 still, but now resembles another.")


async def test_of_two_edits_from_two_sessions_one_wins_and_the_other_is_told(session: Scope, workspace: Path) -> None:
    path = workspace / "f.txt"
    path.write_text("one\ntwo\n")
    other = scope(workspace_id=session.session_id)
    for reader in (session, other):
        await run_one("read_file", reader, path="f.txt")
    results = await asyncio.gather(edited(session, "f.txt", "one", "1"), edited(other, "f.txt", "two", "2"))
    assert sorted(result.reason for result in results) == ["", "changed"]
    assert path.read_text() in {"1\ntwo\n", "one\n2\n"}


async def test_a_file_that_is_not_there_is_answered_with_names_like_its_own(session: Scope, workspace: Path) -> None:
    (workspace / "src").mkdir()
    (workspace / "src" / "notes.txt").touch()
    (workspace / "note.text").touch()
    assert (await edited(session, "notes.text", "a", "b")).content.endswith("There is workspace/note.text.")
    assert (await edited(session, "Notes.txt", "a", "b")).content.endswith("note.text and workspace/src/notes.txt.")
    assert (await edited(session, "other/deep/zzz", "a", "b")).content.endswith("Write it with file_write.")
    assert (await edited(session, "library/x", "a", "b")).reason == "read_only"


async def test_what_is_too_large_to_edit_is_refused_unharmed(session: Scope, workspace: Path) -> None:
    path = workspace / "f.txt"
    path.write_text("ab" * 1_000_000)
    (workspace / "big.txt").write_text("x" * 10_485_761)
    for name in ("f.txt", "big.txt"):
        await run_one("read_file", session, path=name)
    assert (await edited(session, "big.txt", "x", "y")).reason == "too_large"
    assert (await edited(session, "f.txt", "a", "c" * 1_000_000, all_of_them=True)).reason == "too_large"
    assert (await edited(session, "f.txt", "a", "é" * 5, all_of_them=True)).reason == "too_large"
    assert (await edited(session, "f.txt", "y" * 1_000_000, "x")).reason == "no_match"
    done = await edited(session, "f.txt", "ab" * 999_999, "")
    assert (done.success, path.read_text()) == (False, "ab" * 1_000_000)  # it overlaps with itself
    assert (await edited(session, "f.txt", "ab" * 1_000_000, "c\n")).success
    assert path.read_text() == "c\n"


async def test_a_line_of_ten_megabytes_is_edited_and_told_shortly(session: Scope, workspace: Path) -> None:
    path = workspace / "line.json"
    path.write_text('{"key": 1}, ' * 400_000 + '{"needle": 1}' + ', {"key": 1}' * 400_000)
    await run_one("read_file", session, path="line.json")
    result = await edited(session, "line.json", '"needle": 1', '"needle": 2')
    assert result.success
    assert len(result.content) < 4_000
    assert (result.data["diff_cut"], result.data["added"], result.data["removed"]) == (True, 1, 1)
    assert len(result.data["diff"]) <= 100_000
    assert '"needle": 2' in path.read_text()

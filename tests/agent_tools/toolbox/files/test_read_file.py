"""Reading: windows of lines, what is unchanged, charsets, documents, and what is refused."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from asgiref.sync import sync_to_async

from agent_tools.contract.context import Scope
from agent_tools.contract.result import UNCHANGED_OF, ToolResult
from agent_tools.models import AgentTool
from agent_tools.workspace import outputs
from tests.fakes.batches import make_tool, run_one, scope

pytestmark = pytest.mark.django_db(transaction=True)
PAPER = Path(__file__).parents[3] / "fixtures" / "two_columns.pdf"


async def read(session: Scope, path: str, **arguments: Any) -> ToolResult:
    if not await AgentTool.objects.filter(slug="read_file").aexists():
        await make_tool("read_file")
    return await run_one("read_file", session, path=path, **arguments)


async def test_lines_are_numbered_and_the_note_says_how_to_go_on(session: Scope, workspace: Path) -> None:
    (workspace / "a.txt").write_text("".join(f"line {number}\n" for number in range(1, 11)))
    whole = await read(session, "workspace/a.txt")
    assert whole.content.startswith("[workspace/a.txt: Lines 1-10 of 10.]\n     1\tline 1\n     2\tline 2\n")
    part = await read(session, "a.txt", offset=4, limit=2)
    assert part.content == "[workspace/a.txt: Lines 4-5 of 10. Go on with offset=6.]\n     4\tline 4\n     5\tline 5"
    assert part.data == {"path": "workspace/a.txt", "first": 4, "last": 5, "total": 10}
    beyond = await read(session, "a.txt", offset=11)
    assert (beyond.reason, beyond.error) == ("nothing_more", "offset: is beyond the end: workspace/a.txt has 10 lines.")


async def test_the_windows_of_a_long_file_are_its_text(session: Scope, workspace: Path) -> None:
    lines = [f"{number} " + "x" * (number % 300) for number in range(1, 2_001)]
    (workspace / "long").write_text("\n".join(lines))
    got: list[str] = []
    while len(got) < len(lines):
        result = await read(session, "long", offset=len(got) + 1)
        assert len(result.content) <= 20_000
        assert "shortened" not in result.metadata
        got += [line.split("\t", 1)[1] for line in result.content.splitlines()[1:]]
    assert got == lines


async def test_an_unchanged_window_is_not_shown_twice(session: Scope, workspace: Path) -> None:
    path = workspace / "a.txt"
    path.write_text("one\ntwo\n")
    first = await read(session, "a.txt")
    again = await read(session, "workspace/a.txt")
    assert again.success
    assert "unchanged" in again.content
    assert again.metadata[UNCHANGED_OF] in again.content
    assert "one" in (await read(session, "a.txt", limit=1)).content
    assert "one" in (await read(scope(workspace_id=session.session_id), "a.txt")).content  # another session
    path.write_text("ONE\ntwo\n")
    assert "ONE" in (await read(session, "a.txt", limit=1)).content
    before = path.stat()
    path.write_text("ONE and more\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "more" in (await read(session, "a.txt", limit=1)).content
    assert first.content.endswith("2\ttwo")


@pytest.mark.parametrize(
    ("octets", "charset", "text"),
    [
        ("Grüße 世界".encode(), "utf-8", "Grüße 世界"),
        (b"\xef\xbb\xbfmarked", "utf-8", "\tmarked"),
        ("Grüße, ganz lang genug".encode("utf-16"), "utf-16le", "Grüße"),
        ("天文学家观测了这颗恒星的光谱并且测量了它的视向速度。".encode("gb18030"), "gb18030", "天文学家"),
        ("Über die Größe der Bären in den Wäldern Österreichs".encode("latin-1"), "windows-1252", "Größe"),
    ],
)
async def test_charsets_are_told_as_for_pages(
    session: Scope, workspace: Path, octets: bytes, charset: str, text: str
) -> None:
    (workspace / "f.txt").write_bytes(octets)
    result = await read(session, "f.txt")
    assert result.metadata["charset"] == charset
    assert text in result.content


@pytest.mark.parametrize(
    ("octets", "lines"),
    [
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\rb\rc", ["a", "b", "c"]),
        (b"a\n\nb", ["a", "", "b"]),
        ("a\u2028b\x0cc\x85d".encode(), ["a\u2028b\x0cc\x85d"]),
        (b"\n", [""]),
        (b"a", ["a"]),
    ],
)
async def test_lines_are_what_an_editor_shows(session: Scope, workspace: Path, octets: bytes, lines: list[str]) -> None:
    (workspace / "f").write_bytes(octets)
    result = await read(session, "f")
    assert [line.split("\t", 1)[1] for line in result.content.split("\n")[1:]] == lines


async def test_long_lines_are_cut_and_huge_files_are_read_at_their_end(session: Scope, workspace: Path) -> None:
    with (workspace / "big").open("wb") as file:
        for _ in range(20):
            file.write((b"x" * 99 + b"\n") * 10_000)
        file.write(b"y" * 3_000_000 + b"\nlast\n")
    result = await read(session, "big", offset=200_001)
    assert result.data["total"] == 200_002
    assert "… [2,998,000 more characters in this line]\n200002\tlast" in result.content
    with (workspace / "sparse").open("wb") as file:
        file.write(b"text\n" * 2_000)
        file.truncate(1 << 40)
    cut = await read(session, "sparse", limit=1)
    assert cut.metadata["total_is_exact"] is False
    assert "Lines 1-1 of more than 2,00" in cut.content
    far = await read(session, "sparse", offset=9_000_000)
    assert far.reason == "nothing_more"


async def test_what_is_no_text_is_described(session: Scope, workspace: Path) -> None:
    (workspace / "p.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(5_000))
    (workspace / "nul").write_bytes(b"a\0b" * 1_000)
    (workspace / "empty").touch()
    assert (await read(session, "p.png")).content == "workspace/p.png: PNG image, 5.0 kB; not shown."
    assert "not shown" in (await read(session, "nul")).content
    assert (await read(session, "empty")).content == "workspace/empty is empty."


async def test_a_pdf_is_read_page_by_page(session: Scope, workspace: Path) -> None:
    shutil.copy(PAPER, workspace / "paper.pdf")
    result = await read(session, "paper.pdf")
    assert "the text of a PDF" in result.content.splitlines()[0]
    assert "--- page 1 of" in result.content
    assert "\x02" not in result.content
    assert "Abstract".lower() in result.content.lower()
    (workspace / "cut.pdf").write_bytes(PAPER.read_bytes()[:3_000])
    assert (await read(session, "cut.pdf")).reason == "pdf_broken"
    (workspace / "liar.pdf").write_bytes(b"%PDF-1.7\n" + b"(" * 100_000)
    assert (await read(session, "liar.pdf")).reason == "pdf_broken"
    document = pypdfium2.PdfDocument.new()
    document.new_page(200, 200)
    document.save(workspace / "scan.pdf")
    document.close()
    assert "no text on any page" in (await read(session, "scan.pdf")).content


async def test_a_notebook_is_read_cell_by_cell(session: Scope, workspace: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "words"]},
        {
            "cell_type": "code",
            "source": "print(1)",
            "outputs": [
                {"output_type": "stream", "text": ["1\n"]},
                {"output_type": "display_data", "data": {"image/png": "AAAA", "text/plain": "<Figure>"}},
                {"output_type": "error", "ename": "ValueError", "evalue": "no"},
            ],
        },
    ]
    (workspace / "n.ipynb").write_text(json.dumps({"nbformat": 4, "cells": cells}))
    content = (await read(session, "n.ipynb")).content
    for text in (
        "--- cell 2 of 2: code ---",
        "# Title",
        "print(1)",
        "<Figure>",
        "[image/png; not shown]",
        "ValueError",
    ):
        assert text in content
    assert "AAAA" not in content
    (workspace / "broken.ipynb").write_text('{"cells": [')
    assert '{"cells": [' in (await read(session, "broken.ipynb")).content
    (workspace / "odd.ipynb").write_text(
        '{"cells": [1, {"source": 3, "outputs": {"a": 1}}], "x": ' + "[" * 500 + "]" * 500 + "}"
    )
    assert "--- cell 2 of 2" in (await read(session, "odd.ipynb")).content


async def test_a_kept_output_is_read_by_its_reference_in_its_own_session(session: Scope, workspace: Path) -> None:
    call_id = session.session_id  # any id
    text = "".join(f"row {number}\n" for number in range(5_000))
    await sync_to_async(outputs.keep)(call_id=call_id, session_id=session.session_id, slug="fetch", content=text)
    result = await read(session, f"kept/{call_id}", offset=4_999)
    assert result.content.endswith("  4999\trow 4998\n  5000\trow 4999")
    other = await read(scope(), f"kept/{call_id}")
    assert other.reason == "not_found"
    assert (await read(session, "kept/nonsense")).reason == "not_found"


async def test_the_library_is_read_and_what_is_no_file_is_refused(
    session: Scope, workspace: Path, library: Path
) -> None:
    (library / "book.md").write_text("# Book")
    assert "# Book" in (await read(session, "library/book.md")).content
    os.mkfifo(workspace / "pipe")
    (workspace / "out").symlink_to("/etc/passwd")
    for path, reason in {
        "pipe": "not_a_file",
        "out": "outside_roots",
        "workspace": "not_a_file",
        "missing": "not_found",
        "skills/x": "not_found",
        "../x": "path_refused",
    }.items():
        result = await read(session, path)
        assert (result.success, result.reason) == (False, reason), path
        assert "path:" in result.content
        assert str(workspace) not in result.content

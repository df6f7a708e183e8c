"""Writing: whole files, freshness, and who wins."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from agent_tools.contract.context import Scope
from agent_tools.contract.errors import RefusedError
from agent_tools.contract.interrupts import Interrupt
from agent_tools.contract.permissions import Decision
from agent_tools.contract.result import ToolResult
from agent_tools.models import AgentTool
from agent_tools.toolbox.files.file_edit import FileEdit
from agent_tools.toolbox.files.file_write import FileWrite, _encoded
from tests.fakes.batches import make_tool, make_tools, run_one, scope
from tests.fakes.ports import FakeAsker, decided, fake_ports

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
async def _tools(transactional_db: None) -> None:
    await make_tools("read_file", "file_write", "file_edit")


async def write(session: Scope, path: str, content: str) -> ToolResult:
    return await run_one("file_write", session, path=path, content=content)


async def read(session: Scope, path: str) -> ToolResult:
    return await run_one("read_file", session, path=path)


async def test_a_new_file_is_written_exactly_with_its_folders(session: Scope, workspace: Path) -> None:
    result = await write(session, "a/b/c.txt", "één\r\nzwei")
    assert result.content == "Created workspace/a/b/c.txt (11 bytes)."
    assert (workspace / "a/b/c.txt").read_bytes() == "één\r\nzwei".encode()
    assert result.data["created"]
    assert result.data["added"] == 2


async def test_an_existing_file_must_have_been_read_and_be_unchanged(session: Scope, workspace: Path) -> None:
    path = workspace / "a.txt"
    path.write_text("old\n")
    assert (await write(session, "a.txt", "new\n")).reason == "not_read"
    await read(session, "a.txt")
    path.write_text("old, but changed\n")
    refused = await write(session, "a.txt", "new\n")
    assert (refused.reason, path.read_text()) == ("changed", "old, but changed\n")
    assert "read it again" in refused.content
    await read(session, "a.txt")
    done = await write(session, "a.txt", "new\n")
    assert done.content == "Replaced workspace/a.txt (4 bytes).\n@@ -1 +1 @@\n-old, but changed\n+new"
    assert (await write(session, "a.txt", "newer\n")).success  # it is known by its own writing
    assert (await write(scope(workspace_id=session.session_id), "a.txt", "x")).reason == "not_read"
    assert "nothing was changed" in (await write(session, "a.txt", "newer\n")).content


async def test_a_change_that_keeps_time_and_size_is_noticed_when_the_file_is_another(
    session: Scope, workspace: Path
) -> None:
    path = workspace / "a.txt"
    path.write_text("old\n")
    await read(session, "a.txt")
    before = path.stat()
    (workspace / "b.txt").write_text("odd\n")
    (workspace / "b.txt").replace(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (await write(session, "a.txt", "new\n")).reason == "changed"


async def test_of_two_writers_one_wins_and_the_other_is_told(session: Scope, workspace: Path) -> None:
    (workspace / "a.txt").write_text("old\n")
    others = [scope(workspace_id=session.session_id) for _ in range(4)]
    for other in others:
        await read(other, "a.txt")
    results = await asyncio.gather(*(write(other, "a.txt", f"{n}\n" * 5) for n, other in enumerate(others)))
    assert sorted(result.reason for result in results) == ["", "changed", "changed", "changed"]
    [winner] = [n for n, result in enumerate(results) if result.success]
    assert (workspace / "a.txt").read_text() == f"{winner}\n" * 5


async def test_the_mode_is_kept_and_another_charset_is_told(session: Scope, workspace: Path) -> None:
    script = workspace / "run.sh"
    script.write_bytes("#!/bin/sh\necho Grüße und noch mehr Bären".encode("latin-1"))
    script.chmod(0o755)
    await read(session, "run.sh")
    assert "It was windows-1252 and is UTF-8 now." in (await write(session, "run.sh", "#!/bin/sh\n")).content
    assert script.stat().st_mode & 0o777 == 0o755
    (workspace / "marked").write_bytes(b"\xef\xbb\xbfa")
    await read(session, "marked")
    marked = await write(session, "marked", "a")
    assert marked.content == "Replaced workspace/marked (1 bytes). It began with a byte order mark and does so no more."
    assert (workspace / "marked").read_bytes() == b"a"
    (workspace / "picture").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    await read(session, "picture")
    assert "no text to compare" in (await write(session, "picture", "a")).content
    lying = await write(session, "page.html", '<meta charset="iso-8859-7">Grüße')
    assert lying.content.endswith("It is UTF-8, but declares or resembles another charset.")
    assert (await write(session, "bom.txt", "\ufeffGrüße")).content == "Created workspace/bom.txt (10 bytes)."


async def test_limits_are_named(session: Scope, workspace: Path, settings: Any) -> None:
    await make_tool("file_write", slug="write_little", config={"most_mb": 1})
    big = await run_one("write_little", session, path="a.txt", content="x" * 1_048_577)
    assert (big.reason, (workspace / "a.txt").exists()) == ("too_large", False)
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "WORKSPACE_BYTES": 10_000}
    assert (await write(session, "a.txt", "x" * 9_000)).success
    full = await write(session, "b.txt", "x" * 9_000)
    assert full.reason == "quota"
    assert "WORKSPACE_MB" in full.content
    assert (await write(session, "a.txt", "x" * 8_000)).success  # what frees room needs none
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "WORKSPACE_BYTES": 1_000_000, "WORKSPACE_FILES": 1}
    assert (await write(session, "b.txt", "x")).reason == "quota"
    assert (await write(session, "a.txt", "x" * 8_500)).success  # nor another place


async def test_what_may_not_be_written_is_refused(session: Scope, workspace: Path, library: Path) -> None:
    outside = workspace.parent / "outside"
    (workspace / "folder").mkdir()
    (workspace / "out").symlink_to(outside)
    (library / "book").write_text("book")
    (workspace / "own").write_text("own")
    (workspace / "second").hardlink_to(workspace / "own")
    os.mkfifo(workspace / "pipe")
    await read(session, "library/book")
    for path, reason in {
        "library/book": "read_only",
        "library/new": "read_only",
        "skills/new": "read_only",
        "kept/new": "read_only",
        "folder": "not_a_file",
        "folder/": "not_a_file",
        "new/": "not_a_file",
        "own/below": "not_found",
        "second": "linked",
        "pipe": "not_a_file",
        "workspace": "not_a_file",
        "out": "outside_roots",
        "a\nb": "path_refused",
        "x/../y": "path_refused",
        "/etc/cron.d/x": "outside_roots",
    }.items():
        result = await write(session, path, "new")
        assert result.reason == reason, path
        assert not result.success
        edit = await run_one("file_edit", session, path=path, old_string="o", new_string="x")
        assert (edit.success, edit.reason) in {(False, reason), (False, "not_found"), (False, "not_a_file")}, path
    assert not outside.exists()
    assert not (workspace / "new").exists()
    assert (library / "book").read_text() == "book"


async def test_what_another_process_changes_must_be_read_again(session: Scope, workspace: Path) -> None:
    path = workspace / "a.txt"
    path.write_text("one\ntwo\nthree\n")
    await run_one("read_file", session, path="a.txt", offset=2, limit=1)
    assert (await write(session, "a.txt", "one\n")).success  # a part that was read will do
    before = path.stat()
    await (await asyncio.create_subprocess_shell("echo more >> a.txt", cwd=workspace)).wait()
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))  # the same time, but another size
    refused = await write(session, "a.txt", "x")
    assert (refused.reason, path.read_text()) == ("changed", "one\nmore\n")
    path.unlink()
    again = await write(session, "a.txt", "x")
    assert (again.content, again.data["created"]) == ("Created workspace/a.txt (1 bytes).", True)
    edit = await run_one("file_edit", session, path="a.txt", old_string="x", new_string="y")
    assert (edit.success, path.read_text()) == (True, "y")
    assert (await write(session, "a.txt", "z")).success


async def test_of_two_who_create_a_file_one_is_told_of_the_other(session: Scope, workspace: Path) -> None:
    others = [scope(workspace_id=session.session_id) for _ in range(4)]
    results = await asyncio.gather(*(write(other, "deep/a.txt", f"{n}") for n, other in enumerate(others)))
    assert sum(result.success for result in results) == 1
    assert {result.reason for result in results if not result.success} <= {"changed", "not_read"}
    [winner] = [n for n, result in enumerate(results) if result.success]
    assert (workspace / "deep/a.txt").read_text() == f"{winner}"


async def test_an_unchanged_file_is_not_touched(session: Scope, workspace: Path) -> None:
    path = workspace / "a.txt"
    path.write_text("same")
    await read(session, "a.txt")
    before = path.stat()
    result = await write(session, "a.txt", "same")
    assert result.data == {
        "path": "workspace/a.txt",
        "created": False,
        "replacements": 0,
        "diff": "",
        "diff_cut": False,
        "added": 0,
        "removed": 0,
    }
    assert path.stat() == before


async def test_names_are_shown_on_one_line(session: Scope, workspace: Path) -> None:
    odd = workspace / "a\nb"
    odd.write_text("one")
    await read(session, '"a\\nb"')
    result = await write(session, '"a\\nb"', "two")
    assert result.content.startswith('Replaced "workspace/a\\nb" (3 bytes).\n@@')
    assert odd.read_text() == "two"


async def test_a_person_is_asked_where_the_operator_wants_it(session: Scope, workspace: Path) -> None:
    tool = await AgentTool.objects.aget(slug="file_write")
    tool.config = {"ask": True}
    await tool.asave()
    asker = FakeAsker(decided(Decision.DENY, "not now"), decided(Decision.ALLOW_ONCE))
    within = scope(fake_ports(asker=asker))
    assert not (await write(within, "a.txt", "x")).success
    assert (await write(within, "a.txt", "y")).success
    assert asker.requests[0].reasons == ("It writes a file of the workspace.",)


def test_what_changes_files_is_for_operators_to_enable_and_is_not_cut_off() -> None:
    for kind in (FileWrite, FileEdit):
        assert (kind.enabled_by_default, kind.interrupt) == (False, Interrupt.BLOCK)


def test_only_text_is_written() -> None:
    for content in ("a\0b", "a\ud800b"):
        with pytest.raises(RefusedError, match=r"^content: must not hold"):
            _encoded(content, 100)

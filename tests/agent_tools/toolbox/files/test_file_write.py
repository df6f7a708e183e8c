"""Writing: whole files, freshness, and who wins."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from agent_tools.contract.context import Scope
from agent_tools.contract.result import ToolResult
from tests.fakes.batches import make_tools, run_one, scope

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
    assert "UTF-8 now" in (await write(session, "run.sh", "#!/bin/sh\n")).content
    assert script.stat().st_mode & 0o777 == 0o755


async def test_limits_are_named(session: Scope, workspace: Path, settings: Any) -> None:
    big = await write(session, "a.txt", "x" * 10_485_761)
    assert (big.reason, (workspace / "a.txt").exists()) == ("too_large", False)
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "WORKSPACE_BYTES": 10_000}
    assert (await write(session, "a.txt", "x" * 9_000)).success
    full = await write(session, "b.txt", "x" * 9_000)
    assert full.reason == "quota"
    assert "WORKSPACE_MB" in full.content


async def test_what_may_not_be_written_is_refused(session: Scope, workspace: Path, library: Path) -> None:
    outside = workspace.parent / "outside"
    (workspace / "folder").mkdir()
    (workspace / "out").symlink_to(outside)
    (library / "book").write_text("book")
    await read(session, "library/book")
    for path, reason in {
        "library/book": "read_only",
        "library/new": "read_only",
        "skills/new": "read_only",
        "folder": "not_a_file",
        "workspace": "not_a_file",
        "out": "outside_roots",
        "a\nb": "path_refused",
        "x/../y": "path_refused",
        "/etc/cron.d/x": "outside_roots",
    }.items():
        result = await write(session, path, "new")
        assert result.reason == reason, path
        assert not result.success
    assert not outside.exists()
    assert (library / "book").read_text() == "book"

"""Finding files by patterns."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from agent_tools.contract.context import Scope
from agent_tools.contract.errors import RefusedError
from agent_tools.contract.result import ToolResult
from agent_tools.toolbox.files.globs import Glob
from tests.fakes.batches import make_tool, run_one

pytestmark = pytest.mark.django_db(transaction=True)


async def glob(session: Scope, pattern: str, **arguments: Any) -> ToolResult:
    return await run_one("glob_files", session, pattern=pattern, **arguments)


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.py", "a.py", True),
        ("*.py", "src/deep/a.py", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/x/y/a.py", True),
        ("**", "any/thing", True),
        ("data/", "data/x/y", True),
        ("*.{csv,tsv}", "x/a.tsv", True),
        ("{a,b}/{c,d}.txt", "b/c.txt", True),
        ("f[0-9].txt", "f7.txt", True),
        ("f[!0-9].txt", "f7.txt", False),
        ("f?.txt", "f/.txt", False),
        ("a.b", "aXb", False),
        ("[", "[", True),
        ("(a|b)+$", "(a|b)+$", True),
        ("*" * 500 + "x", "a" * 5_000, False),
        ("é*", "été", True),
    ],
)
def test_patterns_mean_what_shells_mean(pattern: str, path: str, matches: bool) -> None:
    assert Glob(pattern).matches(path) is matches


@pytest.mark.parametrize("pattern", ["../*", "/etc/*", "~/*", "", " ", "x" * 2_000, "{a,b}" * 12])
def test_a_pattern_that_leads_out_or_blows_up_is_refused(pattern: str) -> None:
    with pytest.raises(RefusedError) as caught:
        Glob(pattern)
    assert caught.value.message.startswith("pattern:")


async def test_the_newest_come_first_and_the_rest_is_counted(session: Scope, workspace: Path, library: Path) -> None:
    await make_tool("glob_files", config={"most": 3})
    now = time.time()
    for age, name in enumerate(["new.txt", "older.txt", "old.txt", "oldest.txt"]):
        (workspace / name).write_text("x" * age)
        os.utime(workspace / name, (now - age * 100, now - age * 100))
    (workspace / "folder.txt").mkdir()
    (workspace / ".hidden.txt").touch()
    result = await glob(session, "*.txt")
    shown = [line.split("  ")[0] for line in result.content.splitlines()]
    assert set(shown[:2]) == {"workspace/folder.txt/", "workspace/new.txt"}
    assert shown[2:] == ["workspace/older.txt", "[2 more; narrow the pattern]"]
    assert ".hidden.txt" in str((await glob(session, "*", all_files=True)).data)
    (library / "sub").mkdir()
    (library / "sub" / "book.pdf").touch()
    assert "library/sub/book.pdf" in (await glob(session, "library/**/*.pdf")).content
    assert "library/sub/book.pdf" in (await glob(session, "*.pdf", path="library/sub")).content
    nothing = await glob(session, "*.none")
    assert nothing.content.startswith("[Nothing below workspace matches *.none.]")
    assert (await glob(session, "*", path="workspace/new.txt")).reason == "not_a_folder"


async def test_names_with_newlines_stay_one_line(session: Scope, workspace: Path) -> None:
    await make_tool("glob_files")
    (workspace / "a\nb").touch()
    (workspace / os.fsdecode(b"\xff")).touch()
    result = await glob(session, "*")
    assert result.data["count"] == 2
    assert '"workspace/a\\nb"' in result.content
    assert '"workspace/\\377"' in result.content


async def test_many_files_are_found_in_bounded_time(session: Scope, workspace: Path) -> None:
    await make_tool("glob_files")
    for folder in range(20):
        (workspace / f"d{folder}").mkdir()
        for number in range(250):
            (workspace / f"d{folder}" / f"f{number}.dat").touch()
    result = await glob(session, "**/*7.dat")
    assert result.data["count"] == 500

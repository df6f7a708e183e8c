"""Searching: what is found, what is left out, and what cannot make it run on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from agent_tools.contract.context import Scope
from agent_tools.contract.result import ToolResult
from tests.fakes.batches import make_tool, run_one

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
async def _tool(transactional_db: None) -> None:
    await make_tool("grep_files")


async def grep(session: Scope, pattern: str, **arguments: Any) -> ToolResult:
    return await run_one("grep_files", session, pattern=pattern, **arguments)


@pytest.fixture
def tree(workspace: Path) -> Path:
    files = {
        "a.py": "import os\n\ndef area(r):\n    return 3 * r\n",
        "src/b.py": "def area2(r):\r\n    return area(r)\r\n",
        "src/deep/c.md": "# Area\nNothing here\n",
        ".hidden/d.py": "def area(x): ...\n",
        "build/e.py": "area = 1\n",
        "keep/build.log": "area\n",
        ".gitignore": "build/\n*.log\n!keep/*.log\n",
    }
    for name, text in files.items():
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_bytes(text.encode())
    (workspace / "keep" / ".gitignore").write_text("!build.log\n")
    return workspace


async def test_matching_lines_are_shown_with_path_and_number(session: Scope, tree: Path) -> None:
    result = await grep(session, r"def area\d?\(")
    assert result.content == (
        "workspace/a.py:3:def area(r):\nworkspace/src/b.py:1:def area2(r):\n[2 matches in 2 files]"
    )
    assert result.data["files"] == {"workspace/a.py": 1, "workspace/src/b.py": 1}


async def test_context_groups_and_modes(session: Scope, tree: Path) -> None:
    result = await grep(session, "def", context=1, glob="*.py")
    assert result.content == (
        "workspace/a.py-2-\nworkspace/a.py:3:def area(r):\nworkspace/a.py-4-    return 3 * r\n--\n"
        "workspace/src/b.py:1:def area2(r):\nworkspace/src/b.py-2-    return area(r)\n[2 matches in 2 files]"
    )
    counts = await grep(session, "area", mode="counts", ignore_case=True)
    assert counts.content.splitlines()[:3] == [
        "workspace/a.py: 1",
        "workspace/keep/build.log: 1",
        "workspace/src/b.py: 2",
    ]
    files = await grep(session, "AREA", mode="files", ignore_case=True, path="workspace/src")
    assert files.content == "workspace/src/b.py\nworkspace/src/deep/c.md\n[3 matches in 2 files]"


async def test_what_is_ignored_is_searched_when_asked(session: Scope, tree: Path) -> None:
    assert "build/e.py" not in (await grep(session, "area")).content
    every = await grep(session, "area", all_files=True)
    assert "workspace/build/e.py:1:area = 1" in every.content
    assert "workspace/.hidden/d.py:1" in every.content
    none = await grep(session, "area = 1")
    assert "No match in" in none.content
    assert "all_files searches them" in none.content


async def test_a_long_list_goes_on_where_it_stopped(session: Scope, workspace: Path) -> None:
    (workspace / "many").write_text("".join(f"hit {number}\n" for number in range(1_000)))
    first = await grep(session, "hit", limit=3)
    assert first.content.endswith("workspace/many:3:hit 2\n[1,000 matches in 1 files; 997 more, go on with offset=3]")
    rest = await grep(session, "hit", limit=2, offset=998)
    assert rest.content == "workspace/many:999:hit 998\nworkspace/many:1000:hit 999\n[1,000 matches in 1 files]"
    assert len((await grep(session, "hit")).content) < 20_000


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|a)*b", "(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$", "(x+x+)+y", r"(\w+\s?)*$y"]
)
async def test_no_pattern_takes_exponential_time(session: Scope, workspace: Path, pattern: str) -> None:
    (workspace / "a").write_text("a" * 50_000 + "!\n" + "x" * 50_000 + "\n")
    result = await grep(session, pattern)
    assert result.success
    assert result.data["complete"]


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(", "missing )"),
        (r"(a)\1", "back-references are not supported"),
        ("(?=a)", "Look-around"),
        ("x{1000}{1000}{1000}", "pattern:"),
        ("y" * 1_001, "is longer than"),
    ],
)
async def test_what_is_wrong_with_a_pattern_is_told(session: Scope, workspace: Path, pattern: str, words: str) -> None:
    result = await grep(session, pattern)
    assert (result.success, result.reason) == (False, "invalid_pattern")
    assert words in result.content


async def test_plain_text_needs_no_escaping(session: Scope, workspace: Path) -> None:
    (workspace / "a").write_text("f(x) [0]\n")
    assert "workspace/a:1:f(x) [0]" in (await grep(session, "(x) [", fixed=True)).content


async def test_charsets_binaries_and_long_lines(session: Scope, workspace: Path) -> None:
    (workspace / "latin.txt").write_bytes("Die Größe der Bären im Wald\n".encode("latin-1"))
    (workspace / "wide.txt").write_bytes("eine Größe\n".encode("utf-16"))
    (workspace / "blob").write_bytes(b"\0\1\2Gr\xf6\xdfe" * 100)
    (workspace / "long").write_text("x" * 9_000_000 + "Größe" + "y" * 100_000)
    result = await grep(session, "Größe")
    lines = result.content.splitlines()
    assert "workspace/latin.txt:1:Die Größe der Bären im Wald" in lines
    assert "workspace/wide.txt:1:eine Größe" in lines
    assert any(line.startswith("workspace/long:1:") and "Größe" in line and len(line) < 600 for line in lines)
    assert "blob" not in result.content


async def test_nothing_outside_is_searched_and_nothing_hangs(session: Scope, workspace: Path, library: Path) -> None:
    outside = workspace.parent / "outside"
    outside.mkdir()
    (outside / "secret").write_text("needle\n")
    (workspace / "link").symlink_to(outside)
    (workspace / "file").symlink_to(outside / "secret")
    os.link(outside / "secret", workspace / "hard")
    os.mkfifo(workspace / "pipe")
    (library / "book").write_text("a needle\n")
    assert "No match" in (await grep(session, "needle", all_files=True)).content
    assert "library/book:1:a needle" in (await grep(session, "needle", path="library")).content
    assert (await grep(session, "needle", path="link")).reason == "outside_roots"
    assert (await grep(session, "needle", path="../outside")).reason == "path_refused"
    assert (await grep(session, "needle", path="kept/x")).reason == "path_refused"


async def test_a_search_ends_at_its_bound_and_says_so(session: Scope, workspace: Path) -> None:
    await make_tool("grep_files", slug="grep_little", config={"scanned_mb": 1})
    for name in ("a", "b", "c"):
        with (workspace / name).open("wb") as file:
            file.write(b"needle\n")
            file.truncate(6_000_000)
    (workspace / "a.txt").write_text("x\n" * 3_000_000)
    result = await run_one("grep_little", session, pattern="nothing like it")
    assert result.data["complete"] is False
    assert "The search was ended after 1,048,576 bytes" in result.content

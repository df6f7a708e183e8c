"""Workspaces: measured whatever is done to hide what they hold, bounded, forgotten."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from agent_tools.guards.files.errors import FileRefusedError
from agent_tools.workspace.folders import check_room, folder_of, forget, prune, roots_of, usage

ONE, OTHER = uuid.UUID(int=1), uuid.UUID(int=2)


@pytest.fixture
def home() -> Path:
    roots_of(ONE)
    return folder_of(ONE)


def nest(folder: Path, depth: int) -> None:
    """Make folders inside each other, the innermost read-only."""
    code = f"import os; [(os.mkdir('d'), os.chdir('d')) for _ in range({depth})]; os.chmod('.', 0o500)"
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)


def test_holes_count_for_nothing_and_links_are_not_followed(home: Path) -> None:
    with (home / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    (home / "real").write_bytes(b"x" * 100_000)
    (home / "link").symlink_to("/usr")
    held = usage(ONE)
    assert held.files == 3
    assert 100_000 <= held.octets < 300_000
    assert home.stat().st_mode & 0o777 == 0o700
    assert usage(OTHER).files == 0
    assert not folder_of(OTHER).exists()


def test_what_cannot_be_counted_is_too_much(home: Path) -> None:
    nest(home, 80)
    assert usage(ONE).uncountable
    with pytest.raises(FileRefusedError, match="cannot be counted"):
        check_room(ONE, 1)
    forget(ONE)
    roots_of(ONE)
    (home / "closed").mkdir(mode=0o300)
    assert usage(ONE).uncountable


def test_a_tree_of_any_depth_and_mode_is_forgotten(home: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    nest(home, 1_200)
    (home / "link").symlink_to(outside)
    (home / "closed").mkdir()
    (home / "closed" / "file").touch()
    (home / "closed").chmod(0)
    forget(ONE)
    assert not home.exists()
    assert (outside / "kept").read_text() == "kept"
    forget(ONE)


def test_limits_name_the_numbers_and_the_remedy(home: Path, settings: Any) -> None:
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "WORKSPACE_BYTES": 10_000, "WORKSPACE_FILES": 2}
    check_room(ONE, 10_000)
    with pytest.raises(FileRefusedError, match="WORKSPACE_MB"):
        check_room(ONE, 10_001)
    (home / "a").touch()
    (home / "b").touch()
    with pytest.raises(FileRefusedError, match="WORKSPACE_FILES"):
        check_room(ONE, 1)


def test_old_workspaces_are_pruned(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "file").write_bytes(b"x" * 5_000)
    roots_of(OTHER)
    long_ago = time.time() - 10 * 86_400
    for path in (home / "file", home):
        os.utime(path, (long_ago, long_ago))
    (folder_of(OTHER).parent / "not-a-workspace").mkdir()
    call_command("prune_workspaces", days=9)
    assert "deleted 1 files and folders" in capsys.readouterr().out
    assert not home.exists()
    assert folder_of(OTHER).exists()
    assert prune(days=30).files == 0
    with pytest.raises(ValueError, match="0 or more"):
        prune(days=-1)

"""Each level that isolates here, and a workspace beside what must not be seen."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_tools.guards.sandbox import probe
from agent_tools.guards.sandbox.box import Level


@pytest.fixture(params=[Level.BUBBLEWRAP, Level.UNSHARE])
def level(request: pytest.FixtureRequest) -> Level:
    found: Level = request.param
    why = probe.failure_of(found)
    if why and found is Level.BUBBLEWRAP and os.environ.get("CI"):
        pytest.fail(f"{why} CI must run these tests.")
    if why:
        pytest.skip(why)
    return found


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A workspace beside another and a project with a secret."""
    for name in ("mine", "other", "project"):
        (tmp_path / name).mkdir(mode=0o700)
    (tmp_path / "other" / "secret").write_text("the secret")
    (tmp_path / "project" / ".env").write_text("the secret")
    yield tmp_path / "mine"
    shutil.rmtree(tmp_path / "mine", ignore_errors=True)

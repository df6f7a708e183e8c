"""A workspace and a library beside a secret, opened in each of the two ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tools.guards.files import beneath
from agent_tools.guards.files.roots import Root, Roots
from tests.fakes.roots import SECRET


@pytest.fixture(params=["openat2", "by_steps"])
def house(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Roots:
    """A workspace and a library beside a secret, opened in each of the two ways."""
    if request.param == "by_steps":
        monkeypatch.setattr(beneath, "has_openat2", lambda: False)
    elif not beneath.has_openat2():
        pytest.skip("this kernel has no openat2")
    for name in ("workspace", "library", "outside"):
        (tmp_path / name).mkdir()
    (tmp_path / "outside" / "secret").write_bytes(SECRET)
    (tmp_path / "outside" / "f").write_bytes(SECRET)
    return Roots([Root("workspace", tmp_path / "workspace", writable=True), Root("library", tmp_path / "library")])

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tools.contract.errors import UnavailableError
from agent_tools.guards.sandbox import probe
from agent_tools.guards.sandbox.box import Box, Level, Limits
from agent_tools.guards.sandbox.running import run


def test_without_isolation_nothing_is_run_and_the_remedy_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = probe.find("auto", "yes", anew=True)
    assert found.level is None
    with pytest.raises(UnavailableError) as caught:
        found.need()
    assert caught.value.reason == "no_sandbox"
    assert "bwrap is not installed. Install it with `apt install bubblewrap`" in caught.value.message
    assert "unshare is not installed" in caught.value.message
    assert probe.find("auto", probe.ACCEPTED, anew=True).level is Level.LIMITS_ONLY


def test_a_sandbox_that_does_not_isolate_is_found_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text('#!/bin/sh\nwhile [ "$1" != bash ]; do shift; done\nexec "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert "It does not isolate here" in probe.failure_of(Level.BUBBLEWRAP)


def test_off_means_off() -> None:
    with pytest.raises(UnavailableError) as caught:
        probe.find("off", "", anew=True).need()
    assert "SANDBOX is off" in caught.value.message


def test_with_limits_alone_a_command_still_ends_with_its_children(tmp_path: Path) -> None:
    ended = run(Level.LIMITS_ONLY, "(setsid sleep 9874 &); echo $HOME", Box(workspace=tmp_path), Limits(seconds=10.0))
    assert (ended.exit_code, ended.output) == (0, f"{tmp_path}\n")
    assert not [pid for pid in Path("/proc").glob("[0-9]*/cmdline") if b"9874" in _read(pid)]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""

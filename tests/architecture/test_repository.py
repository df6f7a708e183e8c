"""What a clone must hold, and must not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-dev.lock", "chat/toy/requirements.lock")


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_hashes_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index-url" not in text
    pins = re.findall(r"^[A-Za-z0-9._-]+(?:\[[^\]]+\])?==[^\s;]+", text, re.MULTILINE)
    assert pins
    assert text.count("--hash=sha256:") >= len(pins)


def test_what_runs_is_pinned_alike_for_the_tests() -> None:
    run, dev = ({line for line in (ROOT / name).read_text().splitlines() if "==" in line} for name in LOCKS[:2])
    assert run <= dev

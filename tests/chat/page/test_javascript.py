"""The page's modules: their own tests under Node, their size, and that what others wrote is what they published."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
OURS = ROOT / "static" / "chat"
VENDOR = ROOT / "static" / "vendor"
LONGEST_MODULE = 250
MODULES = sorted(OURS.rglob("*.js"))


def test_the_pure_modules_pass_their_tests_under_node() -> None:
    node = shutil.which("node")
    if node is None:
        if os.environ.get("CI"):
            pytest.fail("node is not on the path: CI must run these tests.")
        pytest.skip("node is not on the path")
    tests = sorted(str(path) for path in (Path(__file__).parent / "js").glob("*.test.js"))
    ran = subprocess.run([node, "--test", *tests], capture_output=True, text=True, timeout=100, check=False, cwd=ROOT)
    assert ran.returncode == 0, ran.stdout[-6_000:] + ran.stderr[-2_000:]
    assert re.search(r"^\S+ pass [1-9]", ran.stdout, re.MULTILINE), ran.stdout[-2_000:]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(OURS)))
def test_a_module_stays_small_and_says_why_it_exists(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LONGEST_MODULE, "cut this module along its seams"
    assert max(map(len, lines)) <= 120
    assert lines[0].startswith(("/**", "// "))


def test_every_text_that_a_module_asks_for_is_on_the_page() -> None:
    template = (ROOT / "templates" / "chat" / "_texts.html").read_text(encoding="utf-8")
    known = {name.partition(".")[0] for name in re.findall(r'data-text="([^"]+)"', template)}
    asked = {name for path in MODULES for name in re.findall(r"\bt\(\"(\w+)\"", path.read_text(encoding="utf-8"))}
    assert asked
    assert asked <= known


def test_every_icon_that_is_used_is_drawn() -> None:
    icons = (ROOT / "templates" / "chat" / "_icons.html").read_text(encoding="utf-8")
    drawn = set(re.findall(r'symbol id="([\w-]+)"', icons))
    used = {
        name
        for path in (ROOT / "templates" / "chat").glob("*.html")
        for name in re.findall(r'href="#([is]-[\w-]+)"', path.read_text(encoding="utf-8"))
    }
    assert used
    assert used <= drawn


def test_vendored_files_are_as_published_and_nothing_else_lies_there() -> None:
    lines = (VENDOR / "CHECKSUMS").read_text(encoding="utf-8").splitlines()
    listed = {name: digest for digest, _, name in (line.partition("  ") for line in lines if not line.startswith("#"))}
    found = {
        str(path.relative_to(VENDOR)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.rglob("*")
        if path.is_file() and path.name != "CHECKSUMS"
    }
    assert found == listed


@pytest.mark.parametrize("library", ["dompurify", "highlight", "katex", "marked"])
def test_each_vendored_library_brings_its_licence(library: str) -> None:
    assert (VENDOR / library / "LICENSE").is_file()

"""Small by rule: what grows past these bounds is cut along its seams."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("agent_tools", "chat", "config", "tests", "benchmarks")
LONGEST_MODULE = 250
LONGEST_FUNCTION = 60


def modules() -> list[Path]:
    found = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return sorted(path for path in found if "migrations" not in path.parts and path.name != "settings.py")


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_and_its_functions_stay_small(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= LONGEST_MODULE, "cut this module along its seams"
    long = [
        f"{node.name} ({node.end_lineno - node.lineno + 1} lines)"
        for node in functions(ast.parse(source))
        if node.end_lineno is not None and node.end_lineno - node.lineno + 1 > LONGEST_FUNCTION
    ]
    assert not long


def test_every_module_says_why_it_exists() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in modules()
        if path.is_relative_to(ROOT / "agent_tools") or path.is_relative_to(ROOT / "chat")
        if ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) is None
    ]
    assert not silent

"""Pages and rules for their Markdown: `pages/NAME.html`, `pages/NAME.expect.txt`, whose first line explains them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agent_tools.text.html.markdown import html_to_markdown

PAGES = sorted((Path(__file__).parent / "pages").glob("*.html"))


def broken_rules(rules: str, markdown: str) -> list[str]:
    checks = {
        "+": lambda text: text.replace(r"\n", "\n") in markdown,
        "-": lambda text: text.replace(r"\n", "\n") not in markdown,
        "=": lambda text: text in markdown.split("\n"),
        "~": lambda text: re.search(text, markdown, re.MULTILINE) is not None,
        "!~": lambda text: re.search(text, markdown, re.MULTILINE) is None,
    }
    broken = []
    for line in rules.splitlines():
        kind, _, text = line.partition(" ")
        if kind in checks and not checks[kind](text):
            broken.append(line)
    return broken


def base_of(rules: str) -> str:
    return next(line.removeprefix("base:").strip() for line in rules.splitlines() if line.startswith("base:"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_becomes_the_markdown_that_its_rules_ask_for(page: Path) -> None:
    rules = page.with_suffix(".expect.txt").read_text(encoding="utf-8")
    result = html_to_markdown(page.read_text(encoding="utf-8"), base_of(rules))
    assert not broken_rules(rules, result.text), result.text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_whole_page_holds_all_that_its_content_holds(page: Path) -> None:
    rules = page.with_suffix(".expect.txt").read_text(encoding="utf-8")
    wanted = "\n".join(line for line in rules.splitlines() if line.startswith("+ "))
    result = html_to_markdown(page.read_text(encoding="utf-8"), base_of(rules), main_content=False)
    assert not broken_rules(wanted, result.text), result.text


def test_the_rules_see_what_is_wrong() -> None:
    assert broken_rules("+ a\n- b\n= c\n~ ^d$\n!~ e", "b e") == ["+ a", "- b", "= c", "~ ^d$", "!~ e"]
    assert not broken_rules("# a comment\n+ x\\ny\n= x\n~ ^y$", "x\ny")

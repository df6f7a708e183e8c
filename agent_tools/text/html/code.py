"""Source code on a page: which language a block is in, and what around its lines is no code."""

from __future__ import annotations

import re
from collections.abc import Mapping

from agent_tools.text.html.escape import clean_code
from agent_tools.text.html.tree import names

_PREFIXES = ("language-", "lang-", "highlight-source-", "mw-highlight-lang-", "highlight-text-", "highlight-", "src-")
_ANCESTOR_PREFIXES = ("highlight-source-", "mw-highlight-lang-", "highlight-text-", "highlight-")
_HIGHLIGHTERS = names("highlight highlighter-rouge codehilite sourceCode code-block prism-code shiki notranslate")
_ATTRIBUTES = ("data-lang", "data-language", "data-code-language", "data-enlighter-language")
_NO_LANGUAGE = names("none text txt plain plaintext default nohighlight no-highlight code block source")
_NAME = re.compile(r"[A-Za-z0-9+#._-]{1,30}")
_BRUSH = re.compile(r"brush:\s*([\w+#-]+)")
_GUTTERS = names(
    "lineno linenos linenumber linenumbers line-number line-numbers line-numbers-rows code-line-number gutter blob-num",
    "hljs-ln-numbers rouge-gutter lnt ln linenodiv",
)
_LINES = names("line token-line code-line ec-line view-line")
_TICKS = re.compile("`+")


def language_of(attributes: Mapping[str, str]) -> str:
    """Return the language that a pre or code element names in its class or data, empty when none."""
    classes = attributes.get("class", "")
    brush = _BRUSH.search(classes)
    tokens = classes.split()
    named = [attributes.get(name, "") for name in _ATTRIBUTES]
    named += [token.removeprefix(prefix) for prefix in _PREFIXES for token in tokens if token.startswith(prefix)]
    if brush:
        named.append(brush[1])
    if "sourceCode" in tokens or "hljs" in tokens:
        named += [token for token in tokens if token not in {"sourceCode", "hljs"}]
    return _first(named)


def language_around(attributes: Mapping[str, str]) -> str:
    """Return the language that a block around code names; stricter, since classes there may be about the page."""
    tokens = attributes.get("class", "").split()
    if _HIGHLIGHTERS.intersection(tokens):
        return language_of(attributes)
    prefixed = (
        token.removeprefix(prefix) for prefix in _ANCESTOR_PREFIXES for token in tokens if token.startswith(prefix)
    )
    return _first([*(attributes.get(name, "") for name in _ATTRIBUTES[:2]), *prefixed])


def is_gutter(attributes: Mapping[str, str]) -> bool:
    """Tell whether an element holds line numbers."""
    return bool(_GUTTERS.intersection(attributes.get("class", "").split()))


def is_line(attributes: Mapping[str, str]) -> bool:
    """Tell whether an element stands for one line of code."""
    return "data-line" in attributes or bool(_LINES.intersection(attributes.get("class", "").split()))


def fence(text: str, language: str) -> str:
    """Return a fenced code block with its text untouched but for blank lines at both ends; empty for no text."""
    lines = [line.rstrip() for line in clean_code(text).split("\n")]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    if not lines:
        return ""
    body = "\n".join(lines)
    ticks = "`" * max(3, _longest(body) + 1)
    return f"{ticks}{language}\n{body}\n{ticks}"


def span(text: str) -> str:
    """Return a code span of one line."""
    ticks = "`" * (_longest(text) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _longest(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)


def _first(named: list[str]) -> str:
    for name in named:
        lowered = name.strip().lower()
        if _NAME.fullmatch(lowered) and lowered not in _NO_LANGUAGE:
            return lowered
    return ""

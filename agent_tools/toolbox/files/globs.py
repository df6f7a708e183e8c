"""Patterns for paths, without backtracking: `*`, `?`, `[…]`, `{a,b}` within a name, `**` across folders."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from agent_tools.contract.errors import RefusedError

LONGEST = 1_000
MOST_ALTERNATIVES = 256


class Glob:
    """A pattern for paths below a folder; one without a slash matches names at any depth."""

    def __init__(self, pattern: str) -> None:
        text = pattern.strip()
        if not text or len(text) > LONGEST:
            raise RefusedError(f"pattern: must have 1 to {LONGEST:,} characters.", reason="invalid_arguments")
        if ".." in text or "~" in text or text.startswith("/"):
            raise RefusedError(
                "pattern: must be relative to path and not hold '..' or '~', such as src/**/*.py.",
                reason="path_refused",
            )
        text = text.removeprefix("./")
        text = text + "**" if text.endswith("/") else text
        text = text if "/" in text else f"**/{text}"
        options = re2.Options()
        options.log_errors = False
        options.max_mem = 8_388_608
        expressions = [_expression(one) for one in _alternatives(text)]
        try:
            self._compiled = re2.compile("|".join(f"(?:{one})" for one in expressions), options=options)
        except re2.error as error:
            raise RefusedError("pattern: is no pattern that can be used.", reason="invalid_arguments") from error

    def matches(self, path: str) -> bool:
        """Tell whether a path, relative to the folder, matches as a whole."""
        return self._compiled.fullmatch(path.encode("utf-8", "replace")) is not None


def _alternatives(text: str) -> list[str]:
    """Resolve the first `{a,b}` into its alternatives, then the others."""
    found: list[str] = []
    work = [text]
    while work:
        if len(found) + len(work) > MOST_ALTERNATIVES:
            raise RefusedError(
                f"pattern: stands for more than {MOST_ALTERNATIVES} patterns; use fewer braces.",
                reason="invalid_arguments",
            )
        one = work.pop()
        begin, end = one.find("{"), one.find("}")
        if begin < 0 or end < begin or "," not in one[begin:end]:
            found.append(one)
            continue
        begin = one.rfind("{", 0, end)
        work += [one[:begin] + part + one[end + 1 :] for part in one[begin + 1 : end].split(",")]
    return found


def _expression(text: str) -> str:
    return "".join(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        if text.startswith("**/", at):
            yield "(?:[^/]*/)*"
            at += 3
        elif text.startswith("**", at):
            yield "(?s:.*)"
            at += 2
        elif text[at] == "*":
            yield "[^/]*"
            at += 1
        elif text[at] == "?":
            yield "[^/]"
            at += 1
        elif text[at] == "[" and (end := text.find("]", at + 2)) > 0:
            inner = text[at + 1 : end]
            negated = inner[0] in "!^"
            escaped = re2.escape(inner[1:] if negated else inner).replace("\\-", "-")
            yield f"[^/{escaped}]" if negated else f"[{escaped}]"
            at = end + 1
        else:
            yield re2.escape(text[at])
            at += 1

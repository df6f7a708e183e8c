"""Patterns of a search: compiled for a linear-time engine (RE2), with words for what it does not take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import re2

from agent_tools.contract.errors import RefusedError

LONGEST_PATTERN = 1_000
PROGRAM_MEMORY = 16_777_216


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is looked for, where, and how much is taken: `most` matching lines after the first `skip`, with `context`
    lines around; the work ends after so many octets or seconds.
    """

    pattern: str
    fixed: bool = False
    ignore_case: bool = False
    glob: str = ""
    all_files: bool = False
    context: int = 0
    skip: int = 0
    most: int = 100
    octets: int = 1 << 30
    seconds: float = 20.0


def compiled(query: Query) -> Any:
    """Return the compiled pattern; raises `RefusedError` that says what is wrong with it."""
    if len(query.pattern) > LONGEST_PATTERN:
        raise RefusedError(f"pattern: is longer than {LONGEST_PATTERN:,} characters.", reason="invalid_pattern")
    try:
        return re2.compile(query.pattern, options=_options(query))
    except re2.error as error:
        why = error.args[0].decode("utf-8", "replace") if isinstance(error.args[0], bytes) else str(error.args[0])
        extra = ""
        if any(sign in query.pattern for sign in ("(?=", "(?!", "(?<")) or "escape sequence" in why:
            extra = " Look-around and back-references are not supported, since they can take exponential time."
        raise RefusedError(f"pattern: {why}.{extra}", reason="invalid_pattern") from error


def _options(query: Query) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = PROGRAM_MEMORY
    options.case_sensitive = not query.ignore_case
    options.literal = query.fixed
    return options


class Sieve:
    """Tells whether any line of a stretch can match: one search of it all is much faster than one of each line."""

    def __init__(self, query: Query) -> None:
        ends = "\\A" in query.pattern or "\\z" in query.pattern
        by_line = query.pattern if query.fixed else f"(?m){query.pattern}"
        self._regex = None if ends and not query.fixed else re2.compile(by_line, options=_options(query))

    def passes(self, stretch: str | bytes) -> bool:
        """Tell it of text or of its UTF-8. Where lines end with CR LF they are looked at one by one."""
        returns = "\r" in stretch if isinstance(stretch, str) else b"\r" in stretch
        return self._regex is None or returns or self._regex.search(stretch) is not None

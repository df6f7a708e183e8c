"""Replaces one passage of a text by another: exactly, once, and with the text's own line ends."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent_tools.contract.errors import RefusedError
from agent_tools.toolbox.files.candidates import advice

MOST_NAMED = 10
_BARE = re.compile(r"(?<!\r)\n")


@dataclass(frozen=True, slots=True)
class Edited:
    """The text after an edit, and how many passages were replaced."""

    text: str
    replacements: int


def edit(text: str, old: str, new: str, *, replace_all: bool) -> Edited:
    """Replace the passage `old`, which must be there exactly once unless all are meant. Line ends may be sent as LF
    where the text has CR LF, and become the text's own. Raises `RefusedError`.
    """
    if not old:
        raise RefusedError("old_string: must not be empty; file_write makes a new file.", reason="invalid_arguments")
    if old == new:
        raise RefusedError("new_string: is the same as old_string; there is nothing to do.", reason="nothing_to_do")
    found, replacement = _in_its_line_ends(text, old, new)
    count = text.count(found)
    if not count:
        raise RefusedError(f"old_string: is not in the file as it stands. {advice(text, old)}", reason="no_match")
    if count > 1 and not replace_all:
        lines = ", ".join(str(number) for number in _lines_of(text, found))
        more = "" if count <= MOST_NAMED else " …"
        raise RefusedError(
            f"old_string: is there {count:,} times, in lines {lines}{more}. "
            "Send more of the text around the one you mean, or replace_all.",
            reason="not_unique",
        )
    after = text.replace(found, replacement)
    if after == text:
        raise RefusedError("new_string: would leave the file as it is.", reason="nothing_to_do")
    return Edited(after, count)


def _in_its_line_ends(text: str, old: str, new: str) -> tuple[str, str]:
    """Return both passages as the text would hold them."""
    crlf = text.count("\r\n")
    mostly = crlf > text.count("\n") - crlf
    if old not in text and crlf and "\n" in old:
        widened = _BARE.sub("\r\n", old)
        if widened in text:
            return widened, _BARE.sub("\r\n", new)
    return old, _BARE.sub("\r\n", new) if mostly and "\r\n" not in new else new


def _lines_of(text: str, passage: str) -> list[int]:
    """Return the numbers of the lines in which the first of the passages begin."""
    numbers: list[int] = []
    line, last, at = 1, 0, text.find(passage)
    while at >= 0 and len(numbers) < MOST_NAMED:
        line += text.count("\n", last, at)
        numbers.append(line)
        last, at = at, text.find(passage, at + len(passage))
    return numbers

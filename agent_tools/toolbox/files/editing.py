"""Replaces one passage of a text by another: exactly, once, and with the text's own line ends."""

from __future__ import annotations

from dataclasses import dataclass

from agent_tools.contract.errors import RefusedError
from agent_tools.toolbox.files.candidates import advice
from agent_tools.toolbox.files.line_ends import CR, LF, Mixed, only_end, with_lf

MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class Edited:
    """The text after an edit, and how many passages were replaced."""

    text: str
    replacements: int


def edit(text: str, old: str, new: str, *, replace_all: bool, most: int) -> Edited:
    """Replace the passage `old`, which must be there exactly once unless all are meant. LF stands for whatever ends
    the lines of the text, and is written as they have it; a passage that holds CR is taken as it is. The text may grow
    to `most` characters. Raises `RefusedError`.
    """
    if not old:
        raise RefusedError(
            "old_string: must not be empty; to fill a file, write it with file_write.", reason="invalid_arguments"
        )
    if old == new:
        raise RefusedError("new_string: is the same as old_string; there is nothing to do.", reason="nothing_to_do")
    end = only_end(text)
    if end is None and CR not in old and LF in old + new:
        mixed = Mixed(text)
        count = _counted(mixed.lf, text, old, new, replace_all=replace_all, most=most)
        return _done(text, _replaced(mixed, old, new), count)
    if end is not None and CR not in old:
        old = old.replace(LF, end)
        new = new if CR in new else new.replace(LF, end)
    count = _counted(text, text, old, new, replace_all=replace_all, most=most)
    return _done(text, text.replace(old, new), count)


def _done(before: str, after: str, count: int) -> Edited:
    if before == after:
        raise RefusedError("new_string: would leave the file as it is.", reason="nothing_to_do")
    return Edited(after, count)


def _counted(within: str, text: str, old: str, new: str, *, replace_all: bool, most: int) -> int:
    """Return how often the passage is there, where that allows to replace it."""
    count = within.count(old)
    if not count:
        raise RefusedError(f"old_string: is not in the file as it stands. {advice(text, old)}", reason="no_match")
    lines = _lines_of(within, old)
    if len(lines) > 1 and not replace_all:
        named = ", ".join(f"{line:,}" for line in lines[:MOST_NAMED]) + (" …" if len(lines) > MOST_NAMED else "")
        raise RefusedError(
            f"old_string: is there {max(count, min(len(lines), MOST_NAMED)):,} times, in lines {named}. "
            "Send more of the text around the one you mean, or set replace_all to change them all.",
            reason="not_unique",
        )
    length = len(text) + count * (len(new) - len(old))
    if length > most:
        raise RefusedError(
            f"new_string: the file would have {length:,} characters with it, and may have {most:,} bytes.",
            reason="too_large",
        )
    return count


def _lines_of(text: str, passage: str) -> list[int]:
    """Return the lines in which the passage begins, of the first places and one more; they may overlap."""
    numbers: list[int] = []
    lf = with_lf(text) if LF not in text else text
    line, last, at = 1, 0, text.find(passage)
    while at >= 0 and len(numbers) <= MOST_NAMED:
        line += lf.count(LF, last, at)
        numbers.append(line)
        last, at = at, text.find(passage, at + 1)
    return numbers


def _replaced(text: Mixed, old: str, new: str) -> str:
    """Replace every passage; what old and new begin and end with stays as it is, new lines end as the one there."""
    begin = _in_common(old, new)
    end = min(_in_common(old[::-1], new[::-1]), len(old) - begin, len(new) - begin)
    middle = new[begin : len(new) - end]
    pieces = []
    last, at = 0, text.lf.find(old)
    while at >= 0:
        start, stop = at + begin, at + len(old) - end
        ending = LF if CR in middle else text.end_near(start)
        pieces += [text.original(last, start), middle.replace(LF, ending)]
        last, at = stop, text.lf.find(old, at + len(old))
    return "".join([*pieces, text.original(last, len(text.lf))])


def _in_common(one: str, other: str) -> int:
    """Return with how many equal characters two texts begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))

"""Unified diffs of texts of any size, in bounded time (the format of GNU diffutils, "Unified Format")."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from typing import Any

CONTEXT = 3
MOST_WORK = 1_000_000
"""Pairs of changed lines up to which the smallest difference is looked for; beyond, one block replaces the other."""
NO_NEWLINE = "\\ No newline at end of file"
Opcode = tuple[str, int, int, int, int]


class _Given(SequenceMatcher[str]):
    """Groups differences that are known already."""

    def __init__(self, opcodes: list[Opcode]) -> None:
        super().__init__(None, "", "")
        self._given = opcodes

    def get_opcodes(self) -> Any:
        return self._given


@dataclass(frozen=True, slots=True)
class Diff:
    """A unified diff without its file lines, and how many lines it adds and removes."""

    text: str
    added: int
    removed: int

    def beginning(self, most: int) -> str:
        """Return whole lines of it up to so many characters, with a note where there are more."""
        if len(self.text) <= most:
            return self.text
        head = self.text[: self.text.rfind("\n", 0, most) + 1]
        return f"{head}[{self.text.count(chr(10)) - head.count(chr(10)) + 1:,} more lines of this diff]"


def diff_of(before: str, after: str) -> Diff:
    """Compare two texts by lines. Where they differ in more than that, CR LF and LF count as equal."""
    old, new = _lines(before), _lines(after)
    if old == new:
        old, new = before.split("\n"), after.split("\n")
    opcodes = _opcodes(old, new)
    out: list[str] = []
    for group in _Given(opcodes).get_grouped_opcodes(CONTEXT):
        out.append(_header(group))
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                out += [f" {line}" for line in old[start:end]]
                continue
            out += [f"-{line}" for line in old[start:end]]
            out += [f"+{line}" for line in new[new_start:new_end]]
    text = "\n".join(_marked(out))
    removed = sum(end - start for tag, start, end, _, _ in opcodes if tag != "equal")
    added = sum(end - start for tag, _, _, start, end in opcodes if tag != "equal")
    return Diff(text, added, removed)


_LAST = "\0"
"""Marks a last line that has no end; no text that is compared holds it."""


def _lines(text: str) -> list[str]:
    lines = text.replace("\r\n", "\n").split("\n")
    last = lines.pop()
    return [*lines, last + _LAST] if last else lines


def _marked(lines: list[str]) -> list[str]:
    out: list[str] = []
    for line in lines:
        out.append(line.removesuffix(_LAST))
        if line.endswith(_LAST):
            out.append(NO_NEWLINE)
    return out


def _opcodes(old: list[str], new: list[str]) -> list[Opcode]:
    shorter = min(len(old), len(new))
    begin = _in_common(old, new, shorter)
    end = _in_common(old[::-1], new[::-1], shorter - begin)
    old_end, new_end = len(old) - end, len(new) - end
    found: list[Opcode] = [("equal", 0, begin, 0, begin)] if begin else []
    if (old_end - begin) * (new_end - begin) > MOST_WORK:
        found.append(("replace", begin, old_end, begin, new_end))
    else:
        middle = SequenceMatcher(None, old[begin:old_end], new[begin:new_end], autojunk=False)
        found += [(tag, a + begin, b + begin, c + begin, d + begin) for tag, a, b, c, d in middle.get_opcodes()]
    return [*found, ("equal", old_end, len(old), new_end, len(new))] if end else found


def _in_common(one: list[str], other: list[str], most: int) -> int:
    """Return with how many equal lines two texts begin."""
    pairs = islice(zip(one, other, strict=False), most)
    return next((at for at, (left, right) in enumerate(pairs) if left != right), most)


def _header(group: list[Opcode]) -> str:
    return f"@@ -{_range(group[0][1], group[-1][2])} +{_range(group[0][3], group[-1][4])} @@"


def _range(start: int, end: int) -> str:
    length = end - start
    return f"{start + 1 if length else start},{length}" if length != 1 else f"{start + 1}"

"""Unified diffs of texts of any size, in bounded time (the format of GNU diffutils, "Unified Format")."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from agent_tools.toolbox.files.line_ends import with_lf
from agent_tools.toolbox.files.matching import blocks_in_common

CONTEXT = 3
LONGEST_SHOWN = 300
"""Characters of a line that a reader is shown."""
MOST_KEPT = 200_000
"""Characters of a diff that are kept; the last line that begins within them is whole."""
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
    """A unified diff without its file lines, and how many lines it adds and removes. It has `lines` in all, of which
    `text` holds no more than fit into `MOST_KEPT` characters.
    """

    text: str
    added: int
    removed: int
    lines: int

    def cut(self, most: int) -> str:
        """Return as many of its lines as have so many characters, whole ones."""
        return self.text if len(self.text) <= most else self.text[: self.text.rfind("\n", 0, most) + 1].rstrip("\n")

    def beginning(self, most: int) -> str:
        """Return it for a reader: long lines cut, lines up to so many characters, with a note where there are more."""
        shown: list[str] = []
        used = at = 0
        while at <= len(self.text):
            end = self.text.find("\n", at)
            end = len(self.text) if end < 0 else end
            line = self.text[at : min(end, at + LONGEST_SHOWN)] + ("…" if end - at > LONGEST_SHOWN else "")
            used += len(line) + 1
            if used > most:
                return "\n".join([*shown, f"[{self.lines - len(shown):,} more lines of this diff]"])
            shown.append(line)
            at = end + 1
        return "\n".join(shown)


UNCHANGED = Diff("", 0, 0, 0)


def diff_of(before: str, after: str) -> Diff:
    """Compare two texts by lines. Where they differ in more than that, all line ends count as equal."""
    old, new = _lines(with_lf(before)), _lines(with_lf(after))
    if old == new:
        old, new = _lines(before), _lines(after)
    opcodes = _opcodes(old, new)
    out = _Out()
    for group in _Given(opcodes).get_grouped_opcodes(CONTEXT):
        out.add("", [_header(group)])
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                out.add(" ", old[start:end])
            else:
                out.add("-", old[start:end])
                out.add("+", new[new_start:new_end])
    removed = sum(end - start for tag, start, end, _, _ in opcodes if tag != "equal")
    added = sum(end - start for tag, _, _, start, end in opcodes if tag != "equal")
    return Diff("\n".join(out.kept), added, removed, out.lines)


class _Out:
    """The lines of a diff: counted all, kept as many as fit."""

    def __init__(self) -> None:
        self.kept: list[str] = []
        self.lines = 0
        self._room = MOST_KEPT

    def add(self, sign: str, lines: list[str]) -> None:
        for line in lines:
            if self._room <= 0:
                break
            self._room -= len(line) + 2
            self.kept.append(sign + line.removesuffix(_LAST))
            if line.endswith(_LAST):
                self.kept.append(NO_NEWLINE)
        self.lines += len(lines) + (1 if lines and lines[-1].endswith(_LAST) else 0)


_LAST = "\udfff"
"""Marks a last line that has no end; no text that is compared holds a lone surrogate."""


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    last = lines.pop()
    return [*lines, last + _LAST] if last else lines


def _opcodes(old: list[str], new: list[str]) -> list[Opcode]:
    found: list[Opcode] = []
    at = new_at = 0
    for start, new_start, length in [*blocks_in_common(old, new), (len(old), len(new), 0)]:
        if at < start or new_at < new_start:
            found.append(("replace", at, start, new_at, new_start))
        at, new_at = start + length, new_start + length
        if length:
            found.append(("equal", start, at, new_start, new_at))
    return found


def _header(group: list[Opcode]) -> str:
    return f"@@ -{_range(group[0][1], group[-1][2])} +{_range(group[0][3], group[-1][4])} @@"


def _range(start: int, end: int) -> str:
    length = end - start
    return f"{start + 1 if length else start},{length}" if length != 1 else f"{start + 1}"

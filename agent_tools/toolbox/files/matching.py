"""Finds the lines that two long texts have in common, in bounded time: between lines that each has once (patience
diff, B. Cohen) the shortest edit script (E. Myers, 1986), and where that takes too long, what stands at one place.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

SHORT = 2_000
"""Lines of a gap, in both texts together, up to which the shortest script is looked for at once."""
MOST_STEPS = 1_000_000
"""Comparisons and edits tried for the shortest scripts of one pair of texts; about a second."""
MOST_READ = 20_000_000
"""Lines that are looked through for unique ones, counted each time."""
LONGEST_SCRIPT = 1_000
Block = tuple[int, int, int]
_Gap = tuple[int, int, int, int]


def blocks_in_common(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    """Return runs of equal lines as (start in `old`, start in `new`, length), in order, neighbours joined."""
    numbers: dict[str, int] = {}
    search = _Search(
        [numbers.setdefault(line, len(numbers)) for line in old],
        [numbers.setdefault(line, len(numbers)) for line in new],
    )
    search.run()
    joined: list[Block] = []
    for start, new_start, length in sorted(search.blocks):
        if joined and joined[-1][0] + joined[-1][2] == start and joined[-1][1] + joined[-1][2] == new_start:
            joined[-1] = (joined[-1][0], joined[-1][1], joined[-1][2] + length)
        else:
            joined.append((start, new_start, length))
    return joined


class _Search:
    """One search; lines are numbers, equal ones for equal lines."""

    def __init__(self, old: list[int], new: list[int]) -> None:
        self.blocks: list[Block] = []
        self._old, self._new = old, new
        self._steps, self._read = MOST_STEPS, MOST_READ

    def run(self) -> None:
        gaps: list[_Gap] = [(0, len(self._old), 0, len(self._new))]
        while gaps:
            gaps += self._between(*gaps.pop())

    def _between(self, start: int, end: int, new_start: int, new_end: int) -> list[_Gap]:
        """Match what one gap begins and ends with, then what is inside; return the gaps that are left to search."""
        old, new = self._old, self._new
        begun = (start, new_start)
        while start < end and new_start < new_end and old[start] == new[new_start]:
            start, new_start = start + 1, new_start + 1
        self._add(*begun, start - begun[0])
        ended = end
        while start < end and new_start < new_end and old[end - 1] == new[new_end - 1]:
            end, new_end = end - 1, new_end - 1
        self._add(end, new_end, ended - end)
        size = end - start + new_end - new_start
        if start == end or new_start == new_end:
            return []
        if size > SHORT and size <= self._read:
            self._read -= size
            anchors = _anchors(old[start:end], new[new_start:new_end])
            if anchors:
                return self._split(start, end, new_start, new_end, anchors)
        self._inside(start, end, new_start, new_end)
        return []

    def _split(self, start: int, end: int, new_start: int, new_end: int, anchors: list[tuple[int, int]]) -> list[_Gap]:
        gaps = []
        at, new_at = start, new_start
        for one, other in anchors:
            self._add(start + one, new_start + other, 1)
            gaps.append((at, start + one, new_at, new_start + other))
            at, new_at = start + one + 1, new_start + other + 1
        return [*gaps, (at, end, new_at, new_end)]

    def _inside(self, start: int, end: int, new_start: int, new_end: int) -> None:
        old, new = self._old[start:end], self._new[new_start:new_end]
        if set(old).isdisjoint(new):
            return
        pairs = self._shortest(old, new)
        if pairs is None and len(old) == len(new):
            pairs = [(at, at) for at, (one, other) in enumerate(zip(old, new, strict=True)) if one == other]
        for one, other in pairs or ():
            self._add(start + one, new_start + other, 1)

    def _shortest(self, old: list[int], new: list[int]) -> list[tuple[int, int]] | None:
        """Return the pairs of equal lines that a shortest script keeps; none where the steps do not suffice."""
        furthest = {1: 0}  # on each diagonal, the line of `old` that scripts of this length reach
        reached: list[dict[int, int]] = []
        for length in range(min(len(old) + len(new), LONGEST_SCRIPT) + 1):
            reached.append({k: furthest[k] for k in range(-length - 1, length + 2, 2) if k in furthest})
            self._steps -= length + 1
            for k in range(-length, length + 1, 2):
                down = k == -length or (k != length and furthest[k - 1] < furthest[k + 1])
                began = x = furthest[k + 1] if down else furthest[k - 1] + 1
                while x < len(old) and x - k < len(new) and old[x] == new[x - k]:
                    x += 1
                self._steps -= x - began
                furthest[k] = x
                if x >= len(old) and x - k >= len(new):
                    return _kept(reached, len(old), len(new))
            if self._steps < 0:
                return None
        return None

    def _add(self, start: int, new_start: int, length: int) -> None:
        if length:
            self.blocks.append((start, new_start, length))


def _kept(reached: list[dict[int, int]], x: int, y: int) -> list[tuple[int, int]]:
    """Go back along the script that reached (x, y), and return the pairs it keeps."""
    pairs = []
    for length in range(len(reached) - 1, -1, -1):
        before, k = reached[length], x - y
        down = k == -length or (k != length and before[k - 1] < before[k + 1])
        k = k + 1 if down else k - 1
        was_x = before[k]
        was_y = was_x - k
        begins = was_x if down else was_x + 1
        while x > begins:
            x, y = x - 1, y - 1
            pairs.append((x, y))
        x, y = was_x, was_y
    return pairs


def _anchors(old: list[int], new: list[int]) -> list[tuple[int, int]]:
    """Return where lines are that both have exactly once, as many as are in the same order in both."""
    once = {line for line, count in Counter(new).items() if count == 1}
    where = {line: at for at, line in enumerate(new) if line in once}
    pairs = [(at, where[line]) for line, (at, count) in _firsts(old).items() if count == 1 and line in where]
    tops: list[int] = []  # of the piles of patience sorting: the least end of an ascending run of each length
    ends: list[int] = []
    before: list[int] = []
    for number, (_, other) in enumerate(pairs):
        pile = bisect_left(tops, other)
        before.append(ends[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [other]
        ends[pile : pile + 1] = [number]
    found = []
    number = ends[-1] if ends else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


def _firsts(lines: list[int]) -> dict[int, tuple[int, int]]:
    """Return where each line is first, and how often it is there, in the order of first places."""
    counts = Counter(lines)
    firsts: dict[int, tuple[int, int]] = {}
    for at, line in enumerate(lines):
        if line not in firsts:
            firsts[line] = (at, counts[line])
    return firsts

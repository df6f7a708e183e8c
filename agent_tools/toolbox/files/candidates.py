"""Tells where in a text a passage may have been meant that is not in it, and in what it differs."""

from __future__ import annotations

import html
import re
import time
from heapq import nlargest
from itertools import zip_longest

from agent_tools.toolbox.files.foldings import differences, folded
from agent_tools.toolbox.files.line_ends import CRLF, LF, with_lf

MOST_CANDIDATES = 3
MOST_SECONDS = 2.0
"""How long lines are compared; what comes after them is not looked at."""
LONGEST_COMPARED = 300
LONGEST_SHOWN = 200
MOST_COMPARED = 50
"""Lines of a passage by which places are ranked."""
LINES_SHOWN, LINES_OF_MANY = 10, 3
LEAST_ALIKE, FAR_BEHIND = 0.4, 0.15
_LEAST_WORD, _MOST_WORDS, _AROUND = 4, 20, 60
_NUMBERED = re.compile(r"^ *\d+\t", re.MULTILINE)
_CUT = re.compile(r"… \[[\d,]+ more characters in this line\]")
_WORD = re.compile(r"\w+|[^\w\s]")
_ESCAPE = re.compile(r"\\([nt\"'\\])")
_ESCAPED = {"n": "\n", "t": "\t"}


def advice(text: str, passage: str) -> str:
    """Return sentences that help to send the passage as it stands: the nearest places with their lines, and what
    differs there.
    """
    if not text:
        return "The file is empty; fill it with file_write."
    text = with_lf(text)
    known = _slip(text, passage)
    if known:
        return known
    wanted = Passage(passage.replace(CRLF, LF))
    lines = text.split(LF)
    places = _nearest(lines, wanted)
    if not places or (len(lines[places[0]]) > LONGEST_COMPARED and not wanted.form_at(lines, places[0])):
        by_word = _by_word(text, passage)
        if by_word or not places:
            return by_word or "Nothing in the file resembles it; read the file again."
    told = [_place(lines, start, wanted, LINES_OF_MANY if len(places) > 1 else LINES_SHOWN) for start in places]
    return "The nearest is " + "\nThen ".join(told)


class Passage:
    """A passage by its lines, without the empty ones that it begins and ends with."""

    def __init__(self, text: str) -> None:
        self.lines = text.strip(LF).split(LF)
        self._text = text
        self._before = len(text) - len(text.lstrip(LF))
        self._after = len(text) - len(text.rstrip(LF))

    def __len__(self) -> int:
        return len(self.lines)

    def form_at(self, lines: list[str], start: int) -> str:
        """Return in what form alone the passage differs from the lines that begin at `start`; empty if in more."""
        there = lines[max(0, start - self._before) : start + len(self) + self._after]
        return differences(LF.join(there), self._text)


def _slip(text: str, passage: str) -> str:
    """Name what is wrong with a passage that is there but for the way it was sent."""
    if "\r" in passage and with_lf(passage) in text:
        return "It holds CR LF, and the file's lines end otherwise; send line ends as LF."
    bare = _NUMBERED.sub("", passage)
    if bare and bare != passage and bare in text:
        return "It holds the line numbers that read_file shows; leave them out."
    if _CUT.search(passage) and not _CUT.search(text):
        return "It holds read_file's note that a line was cut; send a part of the line that was shown."
    unescaped = _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), passage)
    if unescaped != passage and unescaped in text:
        return "It holds backslash escapes where the file has the signs themselves; send it without them."
    if html.unescape(passage) != passage and html.unescape(passage) in text:
        return "It holds HTML entities where the file has the signs themselves; send those."
    return ""


def _nearest(lines: list[str], wanted: Passage) -> list[int]:
    """Return the lines at which the passage may begin, best first, by the words of its most telling line; only the
    best where nothing but form differs there, or where others are far behind.
    """
    starts = [line[:LONGEST_COMPARED] for line in wanted.lines]
    anchor = max(range(len(starts)), key=lambda at: (len(starts[at].split()), len(starts[at])))
    words = _words(starts[anchor])
    until = time.monotonic() + MOST_SECONDS
    scored: list[tuple[float, int]] = []
    for at, line in enumerate(lines if words else ()):
        if not at % 1_000 and time.monotonic() > until:
            break
        alike = _share(_words(line), words)
        if alike >= LEAST_ALIKE:
            scored.append((alike, -at))
    best = nlargest(MOST_CANDIDATES * 4, scored)
    begins = dict.fromkeys(max(0, -at - anchor) for _, at in best)
    alikes = {begin: _alike(lines[begin : begin + len(wanted)], wanted.lines) for begin in begins}
    ranked = sorted(alikes, key=lambda begin: (-alikes[begin], begin))
    for begin in ranked[:MOST_CANDIDATES]:
        if wanted.form_at(lines, begin):
            return [begin]
    return [begin for begin in ranked if alikes[begin] >= alikes[ranked[0]] - FAR_BEHIND][:MOST_CANDIDATES]


def _share(there: set[str], words: set[str]) -> float:
    """Return how much of a line's words are there, from 0 to 1; a passage may begin or end within a longer line."""
    both = len(there & words)
    return (both / len(words) + both / len(there | words)) / 2 if both else 0.0


def _alike(window: list[str], wanted: list[str]) -> float:
    pairs = list(zip_longest(window[:MOST_COMPARED], wanted[:MOST_COMPARED], fillvalue=""))
    return sum(1.0 if one == other else _share(_words(one), _words(other)) for one, other in pairs) / len(pairs)


def _words(line: str) -> set[str]:
    return set(_WORD.findall(folded(line[:LONGEST_COMPARED])))


def _place(lines: list[str], start: int, wanted: Passage, most: int) -> str:
    """Describe one place: in what it differs, and its lines around the first that does."""
    window = lines[start : start + len(wanted)]
    form = wanted.form_at(lines, start)
    first = next((at for at, (one, other) in enumerate(zip_longest(window, wanted.lines)) if one != other), 0)
    words = f", which differs only in {form}" if form else ""
    if not form and len(wanted) > 1 and first < len(window):
        words = f", where line {start + first + 1} is the first that differs"
    begin = start + max(0, min(first - 1, len(window) - most))
    end = min(begin + most, start + len(window))
    shown = [f"{number:>6}\t{_cut(line)}" for number, line in enumerate(lines[begin:end], begin + 1)]
    left = len(window) - len(shown)
    return f"line {start + 1}{words}:\n" + LF.join([*shown, f"[{left:,} more lines]"] if left else shown)


def _by_word(text: str, passage: str) -> str:
    """Show where the longest word of the passage is that the text holds but a few times; for very long lines."""
    words = sorted(set(re.findall(r"\w+", passage[:10_000])), key=lambda word: (-len(word), word))[:_MOST_WORDS]
    for word in words:
        if len(word) >= _LEAST_WORD and 0 < text.count(word) <= MOST_CANDIDATES:
            at = text.find(word)
            around = text[max(0, at - _AROUND) : at + len(word) + _AROUND].replace(LF, " ")
            return (
                f"The nearest may be line {text.count(LF, 0, at) + 1}, which holds {_cut(word)!r}: … {_cut(around)} …"
            )
    return ""


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST_SHOWN else f"{line[:LONGEST_SHOWN]}…"

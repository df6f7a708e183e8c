"""Tells where in a text a passage may have been meant that is not in it, and in what it differs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from heapq import nlargest

MOST_CANDIDATES = 3
MOST_LINES = 200_000
LONGEST_LINE = 300
MOST_SHOWN = 12
LEAST_ALIKE = 0.3
_NUMBERED = re.compile(r"^ *\d+\t")
_WORD = re.compile(r"\w+|[^\w\s]")
_QUOTES = {
    ord(sign): plain
    for plain, signs in {"'": "\u2018\u2019\u201a\u2032", '"': "\u201c\u201d\u201e\u2033"}.items()
    for sign in signs
}
_DASHES = {ord(sign): "-" for sign in "\u2010\u2011\u2012\u2013\u2014\u2212"}


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(_QUOTES | _DASHES)


def _blank_free(text: str) -> str:
    return "".join(text.split())


_EQUAL_UP_TO: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("only in blanks at the ends of lines", lambda text: "\n".join(line.rstrip() for line in text.splitlines())),
    ("only in blanks, tabs or indentation", _blank_free),
    (
        "only in look-alike signs, such as typographic quotes, dashes or no-break spaces",
        lambda t: _blank_free(_folded(t)),
    ),
    ("only in upper and lower case", lambda text: _blank_free(_folded(text)).casefold()),
)


def advice(text: str, passage: str) -> str:
    """Return sentences that help to send the passage as it stands: the nearest places with their lines, and what
    differs there.
    """
    lines = text.split("\n")[:MOST_LINES]
    wanted = passage.strip("\n").split("\n")
    if all(_NUMBERED.match(line) for line in wanted if line.strip()) and passage.strip():
        bare = "\n".join(_NUMBERED.sub("", line) for line in wanted)
        if bare in text:
            return "It holds the line numbers that read_file shows; leave them out."
    places = _nearest(lines, wanted)
    if not places:
        return "Nothing in the file resembles it; read the file again."
    told = []
    for start in places:
        window = [line.removesuffix("\r") for line in lines[start : start + len(wanted)]]
        told.append(f"line {start + 1}{_difference(window, wanted)}:\n{_quoted(window, start)}")
    return "The nearest is " + "\nThen ".join(told)


def _nearest(lines: list[str], wanted: list[str]) -> list[int]:
    """Return the lines at which the passage may begin, best first, by the words of its most telling line."""
    anchor = max(range(len(wanted)), key=lambda at: len(_blank_free(wanted[at][:LONGEST_LINE])))
    words = _words(wanted[anchor])
    if not words:
        return []
    scored = []
    for at, line in enumerate(lines):
        theirs = _words(line)
        if theirs and (alike := len(words & theirs) / len(words | theirs)) >= LEAST_ALIKE:
            scored.append((alike, -at))
    best = nlargest(MOST_CANDIDATES * 4, scored)
    begins = dict.fromkeys(max(0, -at - anchor) for _alike, at in best)
    ranked = sorted(begins, key=lambda begin: -_alike(lines[begin : begin + len(wanted)], wanted))
    return (
        ranked[: 1 if _difference(lines[ranked[0] : ranked[0] + len(wanted)], wanted) else MOST_CANDIDATES]
        if ranked
        else []
    )


def _alike(window: list[str], wanted: list[str]) -> float:
    scores = [
        len(ours & theirs) / len(ours | theirs) if (ours | theirs) else 1.0
        for ours, theirs in ((_words(one), _words(other)) for one, other in zip(window[:50], wanted, strict=False))
    ]
    return sum(scores) / max(1, len(scores))


def _words(line: str) -> set[str]:
    return set(_WORD.findall(_folded(line[:LONGEST_LINE]).casefold()))


def _difference(window: list[str], wanted: list[str]) -> str:
    ours, theirs = "\n".join(window).replace("\r", ""), "\n".join(wanted).replace("\r", "")
    for words, reduce in _EQUAL_UP_TO:
        if reduce(theirs) and reduce(theirs) in reduce(ours):
            return f", which differs {words}"
    return ""


def _quoted(window: list[str], start: int) -> str:
    shown = [f"{number:>6}\t{line[:LONGEST_LINE]}" for number, line in enumerate(window[:MOST_SHOWN], start + 1)]
    return "\n".join(shown if len(window) <= MOST_SHOWN else [*shown, f"[{len(window) - MOST_SHOWN:,} more lines]"])

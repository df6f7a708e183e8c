"""Says in what a passage differs from a place of a text that is nearly it: indentation, blanks, quotes, case."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

MOST = 200_000
"""Characters of both together up to which they are compared as a whole."""
_INDENT = re.compile(r"^[ \t]*", re.MULTILINE)
_LINE_END = re.compile(r"[ \t]+$", re.MULTILINE)
_BLANKS = re.compile(r"[ \t\n]+")
_SPECIAL = re.compile(
    r"[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"  # spaces other than the usual one (Unicode, category Zs)
    r"|([\u00ad\u200b-\u200f\u2060\ufeff])"  # signs without width
)
_QUOTES = {
    ord(sign): plain
    for plain, signs in {
        "'": "\u2018\u2019\u201a\u201b\u2032`\u00b4",
        '"': "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb",
        "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    }.items()
    for sign in signs
}
_EITHER_QUOTE = {ord('"'): "'"}


def folded(text: str) -> str:
    """Return a text with one sign for all that look alike, in lower case."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _spaced(text).translate(_QUOTES))
    return text.casefold()


def _spaced(text: str) -> str:
    return _SPECIAL.sub(lambda found: "" if found[1] else " ", text)


_FOLDS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("empty lines at its beginning or end", lambda text: text.strip("\n")),
    ("blanks at the ends of lines", lambda text: _LINE_END.sub("", text)),
    ("indentation", lambda text: _INDENT.sub("", text)),
    ("no-break or other special spaces", _spaced),
    ("typographic quotes or dashes", lambda text: text.translate(_QUOTES)),
    ("single and double quotes", lambda text: text.translate(_EITHER_QUOTE)),
    ("signs that look alike (Unicode forms)", lambda text: unicodedata.normalize("NFKC", text)),
    ("upper and lower case", str.casefold),
    ("blanks or line breaks", lambda text: _BLANKS.sub("", text)),
)


def differences(there: str, wanted: str) -> str:
    """Return in what alone `wanted` differs from a part of `there`, in words; empty where it is more than that."""
    if len(there) + len(wanted) > MOST or not _equal(there, wanted, range(len(_FOLDS))):
        return ""
    last = next(at for at in range(len(_FOLDS)) if _equal(there, wanted, range(at + 1)))
    needed = list(range(last + 1))
    for at in range(last):
        fewer = [each for each in needed if each != at]
        if _equal(there, wanted, fewer):
            needed = fewer
    return " and ".join(
        _indentation(there, wanted) if _FOLDS[at][0] == "indentation" else _FOLDS[at][0] for at in needed
    )


def _indentation(there: str, wanted: str) -> str:
    tabs, theirs = ("\t" in "".join(_INDENT.findall(text)) for text in (there, wanted))
    if tabs == theirs:
        return "indentation"
    return "indentation (the file has tabs there)" if tabs else "indentation (the file has spaces there, no tabs)"


def _equal(there: str, wanted: str, folds: Iterable[int]) -> bool:
    for at in folds:
        there, wanted = _FOLDS[at][1](there), _FOLDS[at][1](wanted)
    return bool(wanted) and wanted in there

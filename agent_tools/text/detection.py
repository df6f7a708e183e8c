"""Guesses the charset of bytes that nobody has named, from what they would say in each."""

from __future__ import annotations

import codecs
import re

from webencodings import LABELS

from agent_tools.text.charset_names import LATIN, UNUSABLE, WIDE, codec_of
from agent_tools.text.letters import charset_by_letters

LOOKED_AT = 65_536
_PAIR = 2
ENOUGH = 6  # with fewer accents than this any guess is as good as the most common one
_RARELY = 20  # whole characters for each broken one
_NEAR_CHAOS, _NEAR_COHERENCE = 0.2, 0.05
_BETWEEN_TAGS = re.compile(rb"[^<>\n]+")
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
# No page leaves these unsaid: guessing them only spoils the guesses of their neighbours.
_NEVER_GUESSED = {"iso-8859-3", "iso-8859-4", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-16"}
_NEVER_GUESSED |= {"macintosh", "x-mac-cyrillic", "iso-8859-8-i"}


def detect(body: bytes) -> str | None:
    """Return the charset in which the bytes make most sense, None where none stands out."""
    from charset_normalizer import from_bytes

    sample = _sample(body)
    western = plausible_latin(sample)
    if western and len(_HIGH_RUN.findall(sample)) < ENOUGH:
        return None
    by_letters = charset_by_letters(sample, western=western)
    if by_letters is not None:
        return by_letters
    names = sorted(set(LABELS.values()) - UNUSABLE - _NEVER_GUESSED - WIDE)
    matches = list(from_bytes(sample, cp_isolation=[codec_of(name) for name in names], preemptive_behaviour=False))
    if not matches:
        return None
    best = matches[0]
    for match in matches:
        near = match.chaos <= best.chaos + _NEAR_CHAOS and match.coherence >= best.coherence - _NEAR_COHERENCE
        if near and "cp1252" in match.could_be_from_charset:
            return LATIN
    found = codecs.lookup(best.encoding).name
    return next((name for name in names if codecs.lookup(codec_of(name)).name == found), None)


def nearly_utf8(body: bytes) -> bool:
    """Tell whether all but a few characters of many are UTF-8: one that a program cut in two spoils no page."""
    signs = body[:LOOKED_AT].decode("utf-8", "replace")
    broken = signs.count("\ufffd")
    return broken * _RARELY < sum(sign > "\x7f" for sign in signs)


def plausible_latin(body: bytes) -> bool:
    """Western text has its accents one at a time; foreign text read as Western has them in long runs."""
    runs = [len(run) for run in _HIGH_RUN.findall(body[:LOOKED_AT])]
    return 2 * sum(length for length in runs if length > _PAIR) <= sum(runs)


def has_much_beyond_ascii(body: bytes) -> bool:
    """Tell whether there are enough bytes beyond ASCII to judge a charset by."""
    return sum(map(len, _HIGH_RUN.findall(body[:LOOKED_AT]))) >= _PAIR * ENOUGH


def _sample(body: bytes) -> bytes:
    """Return the stretches of text that are not plain ASCII, since markup tells nothing about a language."""
    parts: list[bytes] = []
    size = 0
    for part in _BETWEEN_TAGS.finditer(body):
        if _HIGH_RUN.search(part[0]):
            if parts and size + len(part[0]) > LOOKED_AT:
                break
            parts.append(part[0])
            size += len(part[0])
    sample = b"\n".join(parts)
    return sample if len(sample) <= LOOKED_AT else sample[: sample.rfind(b" ", 0, LOOKED_AT) + 1] or sample[:LOOKED_AT]

"""UTF-16 and UTF-32 without a byte order mark, known by where their zeros stand."""

from __future__ import annotations

import codecs
import unicodedata
from collections import Counter

_LOOKED_AT = 65_536  # octets; divisible by four
_LEAST = 2  # octets: one character
_MANY, _SOME = 0.7, 0.02  # shares of zeros at one parity: enough by themselves, and enough beside another script
_WESTERN = 0.05  # share of ASCII among the characters of UTF-32, without which it looks like any numbers
_STRAY = 0.1  # zeros at the other parity for each of those, as emoji have them
_FOREIGN = 0.1  # share of octets beyond ASCII from which a text is not Western
_ONE_SCRIPT = 0.9  # share of one page of Unicode among the characters that are not Western
_ENOUGH = 4  # characters that make a script
_ODD = 0.02  # share of characters that no text has
_SIGNS_LOOKED_AT = 4_096
_ASCII = bytes(range(128))


def wide_charset(body: bytes, *, truncated: bool = False) -> str | None:
    """Return "utf-16le", "utf-16be", "utf-32le" or "utf-32be" for text in it without a mark, else None.

    Text without a single ASCII character cannot be told from other data. `truncated` allows for a partial character
    at the end.
    """
    start = body[:_LOOKED_AT]
    if len(start) < _LEAST or b"\0" not in start:
        return None
    cut = truncated or len(body) > len(start)
    return next((name for name in _candidates(start) if _is_text(start, name, cut=cut)), None)


def _candidates(start: bytes) -> list[str]:
    quarter = len(start) // 4
    first, second, third, fourth = (start[at::4].count(0) for at in range(4))
    found = []
    if quarter and fourth >= quarter and third > quarter * _MANY and second > quarter * _WESTERN:
        found.append("utf-32le")
    if quarter and first >= quarter and second > quarter * _MANY and third > quarter * _WESTERN:
        found.append("utf-32be")
    for name, pages, others in (("utf-16le", start[1::2], first + third), ("utf-16be", start[::2], second + fourth)):
        zeros = pages.count(0)
        enough = _SOME if _is_foreign(start) or _is_of_one_script(pages) else _MANY
        if others <= zeros * _STRAY and zeros > len(pages) * enough:
            found.append(name)
    return found


def _is_foreign(start: bytes) -> bool:
    return len(start.translate(None, _ASCII)) > len(start) * _FOREIGN


def _is_of_one_script(pages: bytes) -> bool:
    """Tell whether the upper octets of characters are all the same, but for Western ones."""
    others = Counter(pages.replace(b"\0", b""))
    return others.total() >= _ENOUGH and others.most_common(1)[0][1] >= _ONE_SCRIPT * others.total()


def _is_text(start: bytes, name: str, *, cut: bool) -> bool:
    try:
        text = codecs.getincrementaldecoder(name)("strict").decode(start, not cut)
    except UnicodeDecodeError:
        return False
    looked_at = text[:_SIGNS_LOOKED_AT]
    odd = sum(unicodedata.category(sign) in {"Cn", "Co", "Cc"} and not sign.isspace() for sign in looked_at)
    return odd <= len(looked_at) * _ODD

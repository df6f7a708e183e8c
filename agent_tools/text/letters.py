"""Tells legacy charsets apart by the letters that their languages use most: short texts give nothing else to go by."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_LOOKED_AT = 4_096  # octets
_CLEAR = 0.55  # share of the expected frequent letters from which a reading convinces
_BEYOND_ASCII = re.compile("[^\x00-\x7f]")
_SEVERAL_OCTETS = frozenset({"gb18030", "big5", "euc-kr", "shift_jis", "euc-jp"})
_CYRILLIC = "оеаинтсрвлкм"
_CHINESE = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里，。、"
_TRADITIONAL = (
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡，。、"
)
_KOREAN = "이다는에의가을하고지도로한기를사은어해니라시서대나인리그자있들세안"
_JAPANESE = "のにはをたがでとしれさるいあっなこんまらくすもイーンスルトッドアラプ、。日本語"


@dataclass(frozen=True, slots=True)
class _Reading:
    """A charset's WHATWG name and codec, the frequent letters of its language, and their usual share of all letters."""

    name: str
    codec: str
    frequent: frozenset[str]
    share: float


_READINGS = tuple(
    _Reading(name, codec, frozenset(letters), share)
    for name, codec, letters, share in (
        ("windows-1251", "cp1251", _CYRILLIC, 0.68),
        ("koi8-r", "koi8_r", _CYRILLIC, 0.68),
        ("ibm866", "cp866", _CYRILLIC, 0.68),
        ("iso-8859-5", "iso8859_5", _CYRILLIC, 0.68),
        ("windows-1253", "cp1253", "αοιετσνηυρκάέίό", 0.75),
        ("windows-1255", "cp1255", "יוהלאתרמבשנםח", 0.82),
        ("windows-1256", "cp1256", "اليمونرتبةد", 0.72),
        ("windows-874", "cp874", "านรอกเงวมยลสด่้ี", 0.65),
        ("gb18030", "gb18030", _CHINESE, 0.3),
        ("big5", "big5hkscs", _TRADITIONAL, 0.3),
        ("euc-kr", "cp949", _KOREAN, 0.35),
        ("shift_jis", "cp932", _JAPANESE, 0.5),
        ("euc-jp", "euc_jis_2004", _JAPANESE, 0.5),
    )
)


def charset_by_letters(sample: bytes, *, western: bool) -> str | None:
    """Return the charset in which octets beyond ASCII read as ordinary words of its language, None if in none.

    Of octets that may be Western text as well (`western`), only charsets of several octets a character are believed.
    """
    start = sample[:_LOOKED_AT]
    cut = len(sample) > len(start)
    readings = [reading for reading in _READINGS if not western or reading.name in _SEVERAL_OCTETS]
    likelihood, name = max((_likelihood(start, reading, cut=cut), reading.name) for reading in readings)
    return name if likelihood >= _CLEAR else None


def _likelihood(start: bytes, reading: _Reading, *, cut: bool) -> float:
    try:
        text = codecs.getincrementaldecoder(reading.codec)("strict").decode(start, not cut)
    except UnicodeDecodeError:
        return 0.0
    signs = _BEYOND_ASCII.findall(text)
    hits = sum(sign in reading.frequent for sign in signs)
    return hits / (len(signs) * reading.share) if signs else 0.0

"""Names of charsets as the web uses them, and Python's codecs for them."""

from __future__ import annotations

from webencodings import LABELS

LATIN = "windows-1252"
# WHATWG Encoding, names → Python codecs; supersets where Python keeps several of one family apart.
_CODECS = {
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "euc-jp": "euc_jis_2004",
    "big5": "big5hkscs",
    "iso-8859-8-i": "iso8859_8",
    "windows-874": "cp874",
    "macintosh": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "ibm866": "cp866",
}
# "replacement" stands for encodings that smuggle markup; the other is an arrangement between two parties.
UNUSABLE = {"replacement", "x-user-defined"}
WIDE = {"utf-16le", "utf-16be", "utf-32le", "utf-32be"}


def find_charset(label: str) -> str | None:
    """Return the WHATWG name for a label ("Latin1" → "windows-1252"), None for what no browser accepts."""
    name: str | None = LABELS.get(label.strip("\t\n\f\r ").lower()) if label.isascii() else None
    return None if name in UNUSABLE else name


def codec_of(name: str) -> str:
    """Return Python's codec for a charset's WHATWG name."""
    return _CODECS.get(name, name)

"""Bytes to text by what a browser believes and, where servers are known to lie, by what the bytes say."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from enum import StrEnum

from webencodings import LABELS

_PRESCAN = 1024  # WHATWG HTML, "prescan a byte stream to determine its encoding"
_DETECTED = 65_536
_PAIR = 2
_ENOUGH = 6  # with fewer accents than this any guess is as good as the most common one
_MANY, _FEW = 0.2, 0.02  # shares of zero bytes at one parity and at the other
_NEAR_CHAOS, _NEAR_COHERENCE = 0.2, 0.05

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
_UNUSABLE = {"replacement", "x-user-defined"}
WIDE = {"utf-16le", "utf-16be"}
_LATIN = "windows-1252"
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32le"),
    (codecs.BOM_UTF32_BE, "utf-32be"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
)

_COMMENT = re.compile(rb"<!--.*?(?:-->|$)", re.DOTALL)
_META = re.compile(rb"<meta[\s/]([^>]*)", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""([^\s"'>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_IN_CONTENT = re.compile(rb"""charset\s*=\s*["']?\s*([^\s"';]+)""", re.IGNORECASE)
_XML = re.compile(rb"""^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']""")
_PARAMETER = re.compile(r""";\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"',]+))""", re.IGNORECASE)
_BETWEEN_TAGS = re.compile(rb"[^<>\n]+")
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")


class Source(StrEnum):
    """What told the charset."""

    BOM = "byte order mark"
    HEADER = "header"
    META = "meta tag"
    XML = "XML declaration"
    UTF8 = "valid UTF-8"
    DETECTED = "detection"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, the WHATWG name of its charset and where that came from; `lossy` when bytes became U+FFFD."""

    text: str
    charset: str
    source: Source
    lossy: bool


def decode(body: bytes, content_type: str = "", *, truncated: bool = False) -> Decoded:
    """Decode a body; never fails.

    `content_type` is the header's value. Of a body cut short (`truncated`) a last, partial character is left out.
    """
    for mark, name in _BOMS:
        if body.startswith(mark):
            return _decode(body[len(mark) :], name, Source.BOM, truncated)
    name, source = _choose(body, content_type, truncated)
    return _decode(body, name, source, truncated)


def find_charset(label: str) -> str | None:
    """Return the WHATWG name for a label ("Latin1" → "windows-1252"), None for what no browser accepts."""
    name: str | None = LABELS.get(label.strip("\t\n\f\r ").lower()) if label.isascii() else None
    return None if name in _UNUSABLE else name


def stated_charset(content_type: str) -> str | None:
    """Return the charset that a Content-Type value names, None when it names none or an unusable one."""
    found = _PARAMETER.search(content_type)
    return find_charset(next(filter(None, found.groups()), "")) if found else None


def _choose(body: bytes, content_type: str, truncated: bool) -> tuple[str, Source]:
    header = stated_charset(content_type)
    inside = _stated_inside(body) if _is_markup(body, content_type) else None
    if header is not None:
        if inside is not None and _contradicted(body, header, inside[0], truncated):
            return inside
        return header, Source.HEADER
    if inside is not None:
        return inside
    pattern = _by_pattern(body, truncated)
    if pattern is not None:
        return pattern, Source.DETECTED
    if _fits(body, "utf-8", truncated):
        return "utf-8", Source.UTF8
    detected = _detect(body)
    return (detected, Source.DETECTED) if detected else (_LATIN, Source.FALLBACK)


def _is_markup(body: bytes, content_type: str) -> bool:
    """A meta tag counts where it is one, not where JSON or a plain text quotes it."""
    return body.lstrip()[:1] == b"<" or any(name in content_type.lower() for name in ("html", "xml"))


def _stated_inside(body: bytes) -> tuple[str, Source] | None:
    start = body[:_PRESCAN]
    for meta in _META.finditer(_COMMENT.sub(b" ", start)):
        name = _meta_charset(meta[1])
        if name is not None:
            return name, Source.META
    declared = _XML.match(start)
    name = find_charset(declared[1].decode("ascii")) if declared else None
    return (_readable(name), Source.XML) if name else None


def _meta_charset(attributes: bytes) -> str | None:
    values = {
        name.lower(): quoted or apostrophed or bare
        for name, quoted, apostrophed, bare in reversed(_ATTRIBUTE.findall(attributes))
    }
    label = values.get(b"charset")
    if label is None and values.get(b"http-equiv", b"").lower() == b"content-type":
        found = _IN_CONTENT.search(values.get(b"content", b""))
        label = found[1] if found else None
    name = find_charset(label.decode("latin-1")) if label else None
    return _readable(name) if name else None


def _readable(name: str) -> str:
    """Whoever could read a label in ASCII is not reading UTF-16 (WHATWG HTML, the prescan's last step)."""
    return "utf-8" if name in WIDE else name


def _contradicted(body: bytes, header: str, inside: str, truncated: bool) -> bool:
    """Tell whether the bytes take the page's side against the server's, which may be a default for all its files."""
    if inside == header or not _fits(body, inside, truncated):
        return False
    if not _fits(body, header, truncated):
        return True
    return header == _LATIN and (inside == "utf-8" or not _plausible_latin(body))


def _plausible_latin(body: bytes) -> bool:
    """Western text has its accents one at a time; foreign text read as Western has them in long runs."""
    runs = [len(run) for run in _HIGH_RUN.findall(body)]
    return 2 * sum(length for length in runs if length > _PAIR) <= sum(runs)


def _fits(body: bytes, name: str, truncated: bool) -> bool:
    try:
        codecs.getincrementaldecoder(codec_of(name))("strict").decode(body, not truncated)
    except UnicodeDecodeError:
        return False
    return True


def _by_pattern(body: bytes, truncated: bool) -> str | None:
    """Recognise what passes for valid UTF-8: ISO-2022-JP by its escapes, UTF-16 without a mark by its zeros."""
    start = body[:_DETECTED]
    if b"\x1b$" in start and _fits(body, "iso-2022-jp", truncated):
        return "iso-2022-jp"
    even, odd, half = start[::2].count(0), start[1::2].count(0), len(start) / 2
    for name, zeros, others in (("utf-16le", odd, even), ("utf-16be", even, odd)):
        if zeros > half * _MANY and others < half * _FEW and _fits(body, name, truncated):
            return name
    return None


def _detect(body: bytes) -> str | None:
    from charset_normalizer import from_bytes

    sample = _sample(body)
    if len(_HIGH_RUN.findall(sample)) < _ENOUGH and _plausible_latin(sample):
        return None
    names = sorted(set(LABELS.values()) - _UNUSABLE - WIDE)
    matches = list(from_bytes(sample, cp_isolation=[codec_of(name) for name in names], preemptive_behaviour=False))
    if not matches:
        return None
    best = matches[0]
    for match in matches:
        near = match.chaos <= best.chaos + _NEAR_CHAOS and match.coherence >= best.coherence - _NEAR_COHERENCE
        if near and "cp1252" in match.could_be_from_charset:
            return _LATIN
    found = codecs.lookup(best.encoding).name
    return next((name for name in names if codecs.lookup(codec_of(name)).name == found), None)


def _sample(body: bytes) -> bytes:
    """Return the stretches of text that are not plain ASCII, since markup tells nothing about a language."""
    parts: list[bytes] = []
    size = 0
    for part in _BETWEEN_TAGS.finditer(body):
        if _HIGH_RUN.search(part[0]):
            if parts and size + len(part[0]) > _DETECTED:
                break
            parts.append(part[0])
            size += len(part[0])
    sample = b"\n".join(parts)
    return sample if len(sample) <= _DETECTED else sample[: sample.rfind(b" ", 0, _DETECTED) + 1] or sample[:_DETECTED]


def codec_of(name: str) -> str:
    """Return Python's codec for a charset's WHATWG name."""
    return _CODECS.get(name, name)


def _decode(body: bytes, name: str, source: Source, truncated: bool) -> Decoded:
    decoder = codecs.getincrementaldecoder(codec_of(name))("replace")
    text = decoder.decode(body, final=not truncated)
    return Decoded(text, "gb18030" if name == "gbk" else name, source, "\ufffd" in text)

"""Bytes to text by what a browser believes and, where servers are known to lie, by what the bytes say."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from enum import StrEnum

from agent_tools.text.charset_names import LATIN, WIDE, codec_of, find_charset
from agent_tools.text.detection import ENOUGH, LOOKED_AT, detect, has_much_beyond_ascii, nearly_utf8, plausible_latin
from agent_tools.text.wide import wide_charset

_PRESCAN = 1024  # WHATWG HTML, "prescan a byte stream to determine its encoding"
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32le"),
    (codecs.BOM_UTF32_BE, "utf-32be"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
)

_COMMENT = re.compile(rb"<!--.*?(?:-->|$)", re.DOTALL)
_META = re.compile(rb"""<meta[\s/]((?:[^>"']|"[^"]*"|'[^']*'|["'])*)""", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""([^\s"'>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_IN_CONTENT = re.compile(rb"""charset\s*=\s*["']?\s*([^\s"';]+)""", re.IGNORECASE)
_XML = re.compile(rb"""^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']""")
_PARAMETER = re.compile(r""";\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"',]+))""", re.IGNORECASE)


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


def stated_charset(content_type: str) -> str | None:
    """Return the charset that a Content-Type value names, None when it names none or an unusable one."""
    found = _PARAMETER.search(content_type)
    return find_charset(next(filter(None, found.groups()), "")) if found else None


def _choose(body: bytes, content_type: str, truncated: bool) -> tuple[str, Source]:
    header = stated_charset(content_type)
    wide = wide_charset(body, truncated=truncated) if header not in WIDE else None
    if wide is not None and _fits(body, wide, truncated):
        return wide, Source.DETECTED
    inside = _stated_inside(body) if _is_markup(body, content_type) else None
    stated = inside if header is None else (header, Source.HEADER)
    if header is not None and inside is not None and _contradicted(body, header, inside[0], truncated):
        return inside
    if stated is not None and not _disproved(body, stated[0], truncated):
        return stated
    if b"\x1b$" in body[:LOOKED_AT] and _fits(body, "iso-2022-jp", truncated):
        return "iso-2022-jp", Source.DETECTED
    if _fits(body, "utf-8", truncated) or nearly_utf8(body):
        return "utf-8", Source.UTF8
    detected = detect(body)
    if detected is None:
        return stated or (LATIN, Source.FALLBACK)
    return detected, Source.DETECTED


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
    return header == LATIN and (inside == "utf-8" or not plausible_latin(body))


def _disproved(body: bytes, name: str, truncated: bool) -> bool:
    """Tell whether the bytes speak against what is stated, loudly: a few broken ones are a slip, and stay such."""
    start = body[:LOOKED_AT]
    if name == LATIN:
        return has_much_beyond_ascii(start) and _fits(body, "utf-8", truncated)
    if name in WIDE and len(body) >= ENOUGH and b"\0" not in body and _fits(body, "utf-8", truncated):
        return True
    if has_much_beyond_ascii(start) and _fits(body, "utf-8", truncated) and not _fits(body, name, truncated):
        return True
    text = codecs.getincrementaldecoder(codec_of(name))("replace").decode(start)
    broken = text.count("\ufffd")
    return broken >= ENOUGH and 2 * broken > sum(sign > "\x7f" for sign in text)


def _fits(body: bytes, name: str, truncated: bool) -> bool:
    try:
        codecs.getincrementaldecoder(codec_of(name))("strict").decode(body, not truncated)
    except UnicodeDecodeError:
        return False
    return True


def decode_as(body: bytes, charset: str, *, truncated: bool = False) -> Decoded:
    """Decode a later part of a body as `decode` read its beginning."""
    return _decode(body, charset, Source.HEADER, truncated)


def _decode(body: bytes, name: str, source: Source, truncated: bool) -> Decoded:
    decoder = codecs.getincrementaldecoder(codec_of(name))("replace")
    text = decoder.decode(body, final=not truncated)
    return Decoded(text, "gb18030" if name == "gbk" else name, source, "\ufffd" in text)

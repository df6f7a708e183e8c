"""Which kind of content a response holds: the header's word, unless the bytes give it the lie."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from enum import StrEnum

from agent_tools.text.charset import stated_charset
from agent_tools.text.charset_names import WIDE
from agent_tools.text.signatures import is_named, label_of, media_type_of
from agent_tools.text.wide import wide_charset

_HEAD = 8_192
_UNDECLARED_CONTROLS = 0.05  # share of control characters above which bytes of no stated type are no text
_DECLARED_CONTROLS = 0.1
_FEWEST_CONTROLS = 4  # a stated text may hold a stray one
_KILO = 1000
_LONGEST_TYPE = 255  # characters: twice RFC 6838, 4.2

_GENERIC = {"", "*/*", "unknown/unknown", "application/unknown", "application/x-unknown", "application/octet-stream"}
_GENERIC |= {"binary/octet-stream", "application/binary", "application/force-download", "application/x-download"}
_JSON = {"application/json", "text/json", "text/x-json", "application/x-json"}
_JSON_LINES = {"application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"}
_JSON_LINES |= {"application/json-seq", "application/jsonlines", "text/x-ndjson"}
_HTML = {"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"}
_XML = {"text/xml", "application/xml"}
_TEXT_APPLICATIONS = {"javascript", "x-javascript", "ecmascript", "yaml", "x-yaml", "toml", "sql", "graphql", "x-sh"}
_TEXT_APPLICATIONS |= {"x-tex", "x-latex", "x-bibtex", "x-www-form-urlencoded", "vnd.apple.mpegurl", "x-httpd-php"}
_TEXT_FAMILIES = ("text/", "message/", "multipart/")

_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_SPACE = b" \t\r\n\f"
_PROLOGUE = re.compile(rb"(?:\s*(?:<\?xml[^>]*>|<!--.*?-->))*\s*", re.DOTALL)
# WHATWG MIME Sniffing, 7.1: tags that make a resource of unknown type HTML.
_HTML_START = re.compile(
    rb"<(?:!doctype\s+html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|main|article"
    rb"|section|header|nav|ul|ol|h[2-6]|span|form|link)[\s>/]",
    re.IGNORECASE,
)
_XHTML = re.compile(rb"<html[\s>]", re.IGNORECASE)
_ANY_TAG = re.compile(rb"<[a-zA-Z!/?]")
_JSON_START = re.compile(rb"""(?:\{\s*(?:"|\})|\[\s*(?:[\[{"\]\-0-9]|true|false|null))""")


class Kind(StrEnum):
    """What a body is to its reader."""

    HTML = "html"
    XML = "xml"
    JSON = "json"
    TEXT = "text"
    BINARY = "binary"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Content:
    """A kind, the media type it was found by, and whether the bytes contradict the header."""

    kind: Kind
    media_type: str
    contradicts: bool = False

    def statement(self, size: int | None, *, at_least: bool = False) -> str:
        """Say in a line what is not shown: type and size in bytes ("PDF document, 12.3 kB; not shown")."""
        if self.kind is Kind.EMPTY:
            return "Empty body."
        sized = "" if size is None else f", {'at least ' if at_least else ''}{human_size(size)}"
        return f"{label_of(self.media_type)}{sized}; not shown"


def classify(body: bytes, content_type: str = "") -> Content:
    """Judge a body (its first 8 kB suffice) by its Content-Type value and its bytes."""
    stated = media_type(content_type)
    if not body:
        return Content(Kind.EMPTY, stated)
    head = body[:_HEAD]
    proven = media_type_of(head, controls=bool(_CONTROL.search(head)))
    if proven is not None:
        return Content(Kind.BINARY, proven, contradicts=stated not in _GENERIC and stated != proven)
    kind = _stated_kind(stated)
    if kind is None:
        return _sniffed(head, stated)
    if kind is Kind.BINARY:
        return Content(kind, stated)
    if stated_charset(content_type) not in WIDE and _is_binary(head, declared=True):
        return Content(Kind.BINARY, "application/octet-stream", contradicts=True)
    return _corrected(kind, stated, head)


def media_type(content_type: str) -> str:
    """Return a Content-Type value's type alone, in lower case; empty when it is none."""
    essence = content_type.split(";", 1)[0].split(",", 1)[0].strip().lower()
    return (
        essence
        if len(essence) <= _LONGEST_TYPE and re.fullmatch(r"[!#$%&'*+.^_`|~\w-]+/[!#$%&'*+.^_`|~\w-]+", essence)
        else ""
    )


def human_size(size: int) -> str:
    """Write a number of bytes for people: "731 B", "12.3 kB", "4.0 MB"."""
    if size < _KILO:
        return f"{size} B"
    value = float(size)
    for unit in ("kB", "MB", "GB", "TB"):
        value /= _KILO
        if value < _KILO - 0.05 or unit == "TB":
            return f"{value:.1f} {unit}"
    raise AssertionError


def _stated_kind(stated: str) -> Kind | None:
    """Return the kind that a media type stands for, None when it says nothing."""
    if stated in _GENERIC:
        return None
    if stated in _HTML:
        return Kind.HTML
    if stated in _JSON or stated in _JSON_LINES or stated.endswith("+json"):
        return Kind.JSON
    if stated in _XML or stated.endswith("+xml"):
        return Kind.XML
    if stated.endswith("/rtf"):
        return Kind.BINARY
    if stated.startswith(_TEXT_FAMILIES) or stated.removeprefix("application/") in _TEXT_APPLICATIONS:
        return Kind.TEXT
    return None if stated.startswith("application/") and not is_named(stated) else Kind.BINARY


def _sniffed(head: bytes, stated: str) -> Content:
    if _is_binary(head, declared=False):
        return Content(Kind.BINARY, stated or "application/octet-stream")
    start = _start(head)
    if _HTML_START.match(start):
        return Content(Kind.HTML, "text/html")
    if head.lstrip(_SPACE).startswith(b"<?xml") or re.match(rb"<[A-Za-z_][\w:.-]*(?:\s[^<>]*)?/?>", start):
        return Content(Kind.XML, "application/xml")
    if _JSON_START.match(start):
        return Content(Kind.JSON, "application/json")
    return Content(Kind.TEXT, "text/plain")


def _corrected(kind: Kind, stated: str, head: bytes) -> Content:
    """Mend the lies that text servers tell: JSON or plain text sent as HTML, XHTML sent as XML."""
    start = _start(head)
    if kind is Kind.HTML and not _ANY_TAG.search(_narrow(head)):
        found = Kind.JSON if _JSON_START.match(start) else Kind.TEXT
        return Content(found, stated, contradicts=True)
    if kind is Kind.HTML and _JSON_START.match(start):
        return Content(Kind.JSON, stated, contradicts=True)
    if kind is Kind.XML and stated in _XML and re.match(rb"(?:<!doctype[^>]*>\s*)?<html[\s>]", start, re.IGNORECASE):
        return Content(Kind.HTML, stated)
    return Content(kind, stated)


def _is_binary(head: bytes, *, declared: bool) -> bool:
    if head.startswith(_WIDE_MARKS):
        return False
    narrow = _narrow(head)
    controls = len(_CONTROL.findall(narrow))
    if declared:
        return controls >= _FEWEST_CONTROLS and controls > len(narrow) * _DECLARED_CONTROLS
    return b"\0" in narrow or controls > len(narrow) * _UNDECLARED_CONTROLS


def _narrow(head: bytes) -> bytes:
    """Return UTF-16 or UTF-32 without a mark as ASCII, so that its zeros don't count as control characters."""
    wide = wide_charset(head, truncated=len(head) >= _HEAD)
    return head if wide is None else head.decode(wide, "ignore").encode("ascii", "replace")


def _start(head: bytes) -> bytes:
    """Return what follows marks, spaces, an XML declaration and comments."""
    for mark in (codecs.BOM_UTF8, *_WIDE_MARKS):
        head = head.removeprefix(mark)
    head = _narrow(head)
    found = _PROLOGUE.match(head)
    return head[found.end() :] if found else head

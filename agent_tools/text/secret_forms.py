"""In which forms a secret may turn up in a text: which part of it, and how that is written."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from html.entities import codepoint2name

_LEAST = 8  # characters of a part that is struck by itself
_LEAST_ENCODED = 8  # characters of base64 by which a secret is known
_SCHEME = re.compile(r"([A-Za-z][\w-]*)\s+(\S+)")  # RFC 9110, 11.4: scheme and credentials
_PAIR = re.compile(r"""(?:^|[;,\s])[\w.-]+=("?)([^";,\s]+)\1""")
_SPACES = re.compile(r"\s+|.", re.DOTALL)
_GROUP = 3  # octets that base64 writes as four characters
_PLAIN = re.compile(r"[A-Za-z0-9]")
_SPACE = r"(?:\s|\+|\\{1,4}[nrt]|&nbsp;|&\#160;|%(?:25)*(?:20|09|0[aAdD])|%(?:25)*[cC]2%(?:25)*[aA]0)+"


def parts_of(secret: str) -> Iterator[str]:
    """Give the secret, and what by itself gives it away: a token without its scheme, a cookie's value, a password."""
    yield secret
    parts = [value for _quote, value in _PAIR.findall(secret)]
    if header := _SCHEME.fullmatch(secret.strip()):
        parts.append(header[2])
        if header[1].lower() == "basic":
            user, _, password = _decoded(header[2]).partition(":")
            parts += [f"{user}:{password}", password]
    yield from (part for part in parts if len(part) >= _LEAST)


def pattern_of(part: str) -> str:
    """Return a regular expression for a part as it is, percent-encoded, escaped for HTML, JSON or Markdown, or within
    base64.
    """
    forms = [part, *_encoded(part.encode("utf-8", "surrogatepass"))]
    return "|".join("".join(map(_sign, _SPACES.findall(form))) for form in forms)


def _decoded(credentials: str) -> str:
    try:
        return base64.b64decode(credentials).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _encoded(octets: bytes) -> Iterator[str]:
    """Give what base64 makes of the octets: whole, and within something longer, less what depends on neighbours."""
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        whole = encode(octets).decode()
        forms = [whole, whole.rstrip("=")]
        for before in range(_GROUP):
            start = -(-before * 4 // _GROUP)
            length = (before + len(octets)) * 8 // 6 - start
            forms.append(encode(bytes(before) + octets).decode()[start : start + length])
        yield from (form for form in forms if len(form) >= _LEAST_ENCODED)


def _sign(sign: str) -> str:
    """Return an expression for one character in every form."""
    if _PLAIN.fullmatch(sign):
        return sign
    if sign.isspace():
        return _SPACE
    octets = sign.encode("utf-8", "surrogatepass")
    units = sign.encode("utf-16-be", "surrogatepass")
    name = codepoint2name.get(ord(sign))
    forms = [
        rf"\\{{0,4}}{re.escape(sign)}",
        "".join(f"%(?:25)*{_hex(f'{octet:02x}')}" for octet in octets),
        "".join(rf"\\{{1,4}}u{_hex(units[at : at + 2].hex())}" for at in range(0, len(units), 2)),
        rf"&(?:amp;)*\#(?:0*{ord(sign)}|[xX]0*{_hex(f'{ord(sign):x}')});",
        *([rf"&(?:amp;)*{name};"] if name else []),
    ]
    return f"(?:{'|'.join(forms)})"


def _hex(digits: str) -> str:
    return "".join(f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in digits)

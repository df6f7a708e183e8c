"""One ASCII spelling for a host name, shared by URLs and domain lists, so that both speak of the same host."""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv4Address

import idna

MAX_NAME = 253  # octets, RFC 1035, without the trailing dot
_MAX_TYPED = 1_024
_MAX_LABEL = 63
_LABEL = re.compile(r"[a-z0-9_-]+")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_A_LABEL = "xn--"


def ascii_host(text: str) -> str:
    """Map a host name to lower-case ASCII (UTS 46, then punycode) without its one trailing dot, or check a dotted quad.

    Emoji names that IDNA 2008 refuses are still encoded, as browsers do. Raises ValueError with the reason; an IPv4
    address in any other spelling than four plain decimal numbers is refused, since parsers disagree on what it means.
    """
    if not text:
        raise ValueError("it has no host name")
    if len(text) > _MAX_TYPED:
        raise ValueError(f"its host name is longer than {MAX_NAME} characters")
    name = _mapped(text)
    labels = name.removesuffix(".").split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return _plain_ipv4(text, name)
    ascii_name = ".".join(_ascii_label(label) for label in labels)
    if len(ascii_name) > MAX_NAME:
        raise ValueError(f"its host name is longer than {MAX_NAME} characters")
    return ascii_name


def is_local_name(host: str) -> bool:
    """Whether an ASCII host name is not the public DNS's: a single label, or one under .localhost (RFC 6761)."""
    name = host.removesuffix(".")
    return "." not in name or name.endswith(".localhost")


def _mapped(text: str) -> str:
    try:
        return idna.uts46_remap(text, std3_rules=False)
    except idna.IDNAError:
        raise ValueError(f"its host name {_short(text)} has a character that host names cannot have") from None


def _short(text: str) -> str:
    return repr(text if len(text) <= _MAX_LABEL else f"{text[:_MAX_LABEL]}…")


def _plain_ipv4(text: str, name: str) -> str:
    try:
        address = str(IPv4Address(name))
    except AddressValueError:
        address = ""
    if address != text:
        raise ValueError(f"its host {_short(text)} is a number but not an IPv4 address of four plain decimal numbers")
    return address


def _ascii_label(label: str) -> str:
    if not label:
        raise ValueError("its host name has an empty part (two dots in a row, or a dot in front)")
    if label.startswith(_A_LABEL):
        _check_a_label(label)
    encoded = label if label.isascii() else _A_LABEL + label.encode("punycode").decode("ascii")
    if not _LABEL.fullmatch(encoded):
        wrong = next(character for character in encoded if not _LABEL.fullmatch(character))
        raise ValueError(f"its host name has the character {wrong!r}, which host names cannot have")
    if len(encoded) > _MAX_LABEL:
        raise ValueError(f"its host name has a part longer than {_MAX_LABEL} characters")
    return encoded


def _check_a_label(label: str) -> None:
    """Refuse an A-label that no Unicode name has: it would be a second spelling of another name."""
    try:
        decoded = label.removeprefix(_A_LABEL).encode("ascii").decode("punycode")
        canonical = not decoded.isascii() and idna.uts46_remap(decoded, std3_rules=False) == decoded
        canonical = canonical and _A_LABEL + decoded.encode("punycode").decode("ascii") == label
    except (ValueError, OverflowError):
        canonical = False
    if not canonical:
        raise ValueError(f"its host name has the part {label!r}, which is no valid punycode")

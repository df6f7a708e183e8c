"""URLs read strictly, once: what passes here is what is looked up, dialled, named to TLS and shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv6Address

from agent_tools.guards.addresses import IPAddress, parse_address
from agent_tools.guards.hosts import ascii_host
from agent_tools.guards.network_errors import InvalidUrlError
from agent_tools.guards.ports import BAD_PORTS
from agent_tools.guards.url_text import encoded_target, masked

MAX_URL = 8_192  # characters
_DEFAULT_PORTS = {"http": 80, "https": 443}
_MAX_PORT = 65_535
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE | re.ASCII)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_PORT = re.compile(r"[0-9]{1,5}")

Origin = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Url:
    """An http or https URL: no fragment, no credentials, everything ASCII and encoded.

    `host` is lower-case without brackets or trailing dot; `rooted` says that the dot was there; `address` is set where
    the host is an address literal; `target` is path and query as they go on the wire.
    """

    scheme: str
    host: str
    port: int
    target: str
    rooted: bool = False
    address: IPAddress | None = None

    @property
    def typed_host(self) -> str:
        """The host as it goes into the Host header: brackets and trailing dot kept."""
        if isinstance(self.address, IPv6Address):
            return f"[{self.host}]"
        return f"{self.host}." if self.rooted else self.host

    @property
    def authority(self) -> str:
        """Host, and port where it is not the scheme's own."""
        return self.typed_host if self.port == _DEFAULT_PORTS[self.scheme] else f"{self.typed_host}:{self.port}"

    @property
    def origin(self) -> Origin:
        """Scheme, host and port: what credentials are bound to (RFC 6454)."""
        return self.scheme, self.typed_host, self.port

    @property
    def text(self) -> str:
        """The whole URL; reading it again gives an equal value."""
        return f"{self.scheme}://{self.authority}{self.target}"

    @property
    def display(self) -> str:
        """The URL for logs and messages: values of query parameters that look like secrets masked."""
        return masked(self.text)

    def __str__(self) -> str:
        return self.display


def parse_url(text: str) -> Url:
    """Read a URL by the WHATWG standard's rules, refusing what it would silently repair in scheme, host and port.

    Raises InvalidUrlError with one sentence that never repeats a user name or password.
    """
    trimmed = text.strip(" ")
    if not trimmed:
        raise _invalid("it is empty")
    if len(trimmed) > MAX_URL:
        raise _invalid(f"it is longer than {MAX_URL} characters")
    if _CONTROLS.search(trimmed):
        raise _invalid("it has a control character, such as a line break or a tab")
    scheme, rest = _split_scheme(trimmed)
    authority, target = _split_authority(rest)
    host, rooted, address, port = _read_authority(authority, scheme)
    return Url(scheme, host, port, encoded_target(target), rooted, address)


def resolve_location(base: Url, location: str) -> Url:
    """Resolve a redirect's Location against the URL that answered it; InvalidUrlError where it is unusable."""
    reference = location.strip(" ")
    if scheme := _SCHEME.match(reference):
        # `http:path` and `https:/path` are relative to browsers and absolute to other parsers.
        if scheme[1].lower() in _DEFAULT_PORTS and not reference[scheme.end() :].startswith("//"):
            raise _invalid("it has a scheme but no host")
        return parse_url(reference)
    if _before_query(reference).startswith(("//", "\\", "/\\")):
        return parse_url(f"{base.scheme}:{reference}")
    path, _, query = base.target.partition("?")
    if reference.startswith("/"):
        joined = reference
    elif reference.startswith("?"):
        joined = path + reference
    elif not reference or reference.startswith("#"):
        joined = f"{path}?{query}" if query else path
    else:
        joined = path[: path.rindex("/") + 1] + reference
    return parse_url(f"{base.scheme}://{base.authority}{joined}")


def _split_scheme(text: str) -> tuple[str, str]:
    match = _SCHEME.match(text)
    scheme = match[1].lower() if match else ""
    rest = text[match.end() :] if match else ""
    # `example.com:80/` and `localhost:80/` are hosts whose scheme was left out.
    if scheme not in _DEFAULT_PORTS and (not scheme or "." in scheme or rest[:1].isdigit()):
        raise _invalid("it must begin with http:// or https://")
    if scheme not in _DEFAULT_PORTS:
        raise _invalid(f"only http and https are supported, not '{scheme[:20]}'")
    if "\\" in _before_query(rest):
        raise _invalid("it has a backslash")
    if not rest.startswith("//"):
        raise _invalid(f"'{scheme}:' must be followed by two slashes and a host name")
    return scheme, rest[2:]


def _split_authority(rest: str) -> tuple[str, str]:
    end = min((at for mark in "/?#" if (at := rest.find(mark)) >= 0), default=len(rest))
    return rest[:end], rest[end:].partition("#")[0]


def _read_authority(authority: str, scheme: str) -> tuple[str, bool, IPAddress | None, int]:
    if "@" in authority:
        raise _invalid("it has a user name or password in it, or an @ before the host")
    if authority.startswith("["):
        host, bracket, port = authority[1:].partition("]")
        if not bracket or (port and not port.startswith(":")):
            raise _invalid("its host has a bracket that is not closed, or text behind it")
        address = _ipv6(host)
        return str(address), False, address, _port(port[1:], scheme)
    host, _, port = authority.partition(":")
    if ":" in port:
        raise _invalid("its host has more than one colon; an IPv6 address stands in brackets")
    try:
        name = ascii_host(host)
    except ValueError as error:
        raise _invalid(str(error)) from None
    literal = parse_address(name)
    rooted = literal is None and name != "" and host[-1] in ".\u3002\uff0e\uff61"
    return name, rooted, literal, _port(port, scheme)


def _ipv6(text: str) -> IPv6Address:
    address = parse_address(text) if text.isascii() else None
    if not isinstance(address, IPv6Address):
        raise _invalid("what stands in brackets is not an IPv6 address (zone ids are not supported)")
    return address


def _port(text: str, scheme: str) -> int:
    if not text:
        return _DEFAULT_PORTS[scheme]
    if not _PORT.fullmatch(text) or not 0 < int(text) <= _MAX_PORT:
        raise _invalid(f"its port must be a number from 1 to {_MAX_PORT}")
    if int(text) in BAD_PORTS:
        raise _invalid(f"port {int(text)} belongs to another protocol and is closed to web requests")
    return int(text)


def _before_query(text: str) -> str:
    return re.split(r"[?#]", text, maxsplit=1)[0]


def _invalid(reason: str) -> InvalidUrlError:
    return InvalidUrlError(f"The URL cannot be used: {reason}.")

"""The networks that an operator opens for a tool: `CIDR` or `CIDR:port`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_network

from agent_tools.guards.addresses import IPAddress, IPNetwork, effective

_FORMS = "write it like 10.0.0.0/8, 10.0.0.5:8080, fd00::/8 or [fd00::/8]:8080"
_BRACKETED = re.compile(r"\[(?P<network>[^\[\]]*)\](?::(?P<port>.*))?", re.DOTALL)
_IPV4_WITH_PORT = re.compile(r"(?P<network>[^:]*):(?P<port>[^:]*)", re.DOTALL)
_MAX_PORT = 65_535


@dataclass(frozen=True, slots=True)
class OpenedNetwork:
    """A network, and the one port that is open there; None: every port."""

    network: IPNetwork
    port: int | None = None

    def __str__(self) -> str:
        if self.port is None:
            return str(self.network)
        return f"[{self.network}]:{self.port}" if self.network.version == 6 else f"{self.network}:{self.port}"  # noqa: PLR2004 - IPv6

    def covers(self, address: IPAddress, port: int) -> bool:
        """Whether `address`, or the IPv4 inside it, may be connected at `port`."""
        return self.port in {None, port} and effective(address) in self.network


@dataclass(frozen=True, slots=True)
class Networks:
    """All networks that are open; none by default. What can never be opened stays closed (`addresses.closed_by`)."""

    opened: tuple[OpenedNetwork, ...] = ()

    @classmethod
    def parse(cls, entries: Iterable[str]) -> Networks:
        """Read entries; ValueError at the first that is wrong."""
        return cls(tuple(parse_network(entry) for entry in entries))

    def cover(self, address: IPAddress, port: int) -> bool:
        """Whether an entry opens `address` at `port`."""
        return any(opened.covers(address, port) for opened in self.opened)


def parse_network(entry: str) -> OpenedNetwork:
    """Read `CIDR`, `CIDR:port`, `[IPv6-CIDR]` or `[IPv6-CIDR]:port`; ValueError names the entry and the remedy."""
    text = entry.strip()
    match = _BRACKETED.fullmatch(text) or _IPV4_WITH_PORT.fullmatch(text)
    network, port = (match["network"], match["port"]) if match else (text, None)
    return OpenedNetwork(_network(entry, network), None if port is None else _port(entry, port))


def _network(entry: str, text: str) -> IPNetwork:
    if "%" in text:
        raise ValueError(f"'{entry}' has a scope id, which is not supported; {_FORMS}")
    try:
        network = ip_network(text, strict=False)
    except ValueError:
        raise ValueError(f"'{entry}' is not a network; {_FORMS}") from None
    address, _, prefix = text.partition("/")
    if prefix and not prefix.isdecimal():
        raise ValueError(f"'{entry}' must give the length of its prefix as a number; {_FORMS}")
    if str(network.network_address) != str(ip_network(address).network_address):
        raise ValueError(f"'{entry}' has bits set behind its prefix; write {network} or give a longer prefix")
    if effective(network.network_address) != network.network_address:
        raise ValueError(f"'{entry}' spells IPv4 addresses as IPv6; write the IPv4 network")
    return network


def _port(entry: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(_MAX_PORT)) and 0 < int(text) <= _MAX_PORT):
        raise ValueError(f"'{entry}' must have a port from 1 to {_MAX_PORT} behind the colon; {_FORMS}")
    return int(text)

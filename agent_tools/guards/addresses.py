"""Which addresses a tool may connect to: a table of our own, since `ipaddress` flags differ between Python patches."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

IPAddress = IPv4Address | IPv6Address
IPNetwork = IPv4Network | IPv6Network

_MAPPED = IPv6Network("::ffff:0:0/96")  # RFC 4291, 2.5.5.2
_NAT64 = IPv6Network("64:ff9b::/96")  # RFC 6052, 2.1
_NAT64_LOCAL = IPv6Network("64:ff9b:1::/48")  # RFC 8215
_GLOBAL_UNICAST = IPv6Network("2000::/3")  # RFC 4291, 2.4: all that is allocated to the public
_FAKE_IP = IPv4Network("198.18.0.0/15")


@dataclass(frozen=True, slots=True)
class Rule:
    """A range that is closed, what it is, and whether an operator can open it."""

    network: IPNetwork
    kind: str
    openable: bool = True

    def __str__(self) -> str:
        return f"{self.kind} ({self.network})" if self.network.prefixlen else self.kind


def _rules(*rows: tuple[str, str], openable: bool = True) -> tuple[Rule, ...]:
    return tuple(Rule(ip_network(network), kind, openable) for network, kind in rows)


_METADATA = _rules(
    ("169.254.169.0/24", "cloud metadata"),  # AWS, Azure, Google, Oracle, OpenStack, DigitalOcean, Hetzner
    ("169.254.170.0/24", "cloud metadata"),  # AWS: credentials of containers and pods
    ("169.254.0.23/32", "cloud metadata"),  # Tencent
    ("169.254.42.42/32", "cloud metadata"),  # Scaleway
    ("100.100.100.200/32", "cloud metadata"),  # Alibaba
    ("192.0.0.192/32", "cloud metadata"),  # Oracle, classic
    ("168.63.129.16/32", "cloud metadata"),  # Azure's wire server
    ("fd00:ec2::/32", "cloud metadata"),  # AWS
    ("fd20:ce::254/128", "cloud metadata"),  # Google
    ("fd00:42::42/128", "cloud metadata"),  # Scaleway
    openable=False,
)

# IANA IPv4 and IPv6 special-purpose address registries (RFC 6890); the first row that holds an address names it.
_IPV4 = _rules(
    ("0.0.0.0/8", "this network"),
    ("10.0.0.0/8", "private network"),
    ("100.64.0.0/10", "carrier-grade NAT"),
    ("127.0.0.0/8", "loopback"),
    ("169.254.0.0/16", "link-local"),
    ("172.16.0.0/12", "private network"),
    ("192.0.0.0/24", "IETF protocol assignments"),
    ("192.0.2.0/24", "documentation"),
    ("192.88.99.0/24", "6to4 relay"),
    ("192.168.0.0/16", "private network"),
    ("198.18.0.0/15", "benchmarking"),
    ("198.51.100.0/24", "documentation"),
    ("203.0.113.0/24", "documentation"),
    ("224.0.0.0/4", "multicast"),
    ("240.0.0.0/4", "reserved"),
)
_TUNNELS = _rules(
    ("::/96", "IPv4-compatible, deprecated"),
    ("2001::/32", "Teredo tunnel"),
    ("2002::/16", "6to4 tunnel"),
    openable=False,
)
_IPV6 = (
    *_rules(("::/128", "unspecified"), ("::1/128", "loopback")),
    *_TUNNELS,
    *_rules(
        ("64:ff9b:1::/48", "local NAT64"),
        ("100::/64", "discard-only"),
        ("2001::/23", "IETF protocol assignments"),
        ("2001:db8::/32", "documentation"),
        ("3fff::/20", "documentation"),
        ("fc00::/7", "unique local"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local, deprecated"),
        ("ff00::/8", "multicast"),
    ),
)
_UNALLOCATED = Rule(IPv6Network("::/0"), "outside of 2000::/3, where all public addresses are")


def parse_address(text: str) -> IPAddress | None:
    """Return the address that `text` spells canonically (no brackets, no scope id), or None."""
    if "%" in text:
        return None
    try:
        return ip_address(text)
    except ValueError:
        return None


def effective(address: IPAddress) -> IPAddress:
    """Return the address that decides: the IPv4 inside an IPv4-mapped or NAT64 one, else the address itself."""
    if isinstance(address, IPv6Address) and (address in _MAPPED or address in _NAT64):
        return _low_ipv4(address)
    return address


def dialable(address: IPAddress) -> IPAddress:
    """Return what a socket is given: an IPv4-mapped address as plain IPv4, so that it works without IPv6."""
    return effective(address) if address in _MAPPED else address


def closed_by(address: IPAddress) -> Rule | None:
    """Return the rule that closes `address` to tools, None where it is public."""
    metadata = _metadata(address)
    if metadata is not None:
        return metadata
    decisive = effective(address)
    table = _IPV4 if isinstance(decisive, IPv4Address) else _IPV6
    for rule in table:
        if decisive in rule.network:
            return rule
    if isinstance(decisive, IPv6Address) and decisive not in _GLOBAL_UNICAST:
        return _UNALLOCATED
    return None


def is_fake_ip(address: IPAddress) -> bool:
    """Whether the address is in 198.18.0.0/15, from which local proxies (Clash, sing-box) answer every name."""
    return effective(address) in _FAKE_IP


def _metadata(address: IPAddress) -> Rule | None:
    """Find a metadata address, however spelled: a prefix of somebody's own may also be a NAT64."""
    spelled = [address]
    if isinstance(address, IPv6Address):
        spelled.append(_low_ipv4(address))
        if address in _NAT64_LOCAL:
            spelled += _embedded(address)
    for candidate in spelled:
        for rule in _METADATA:
            if candidate in rule.network:
                return rule
    return None


def _low_ipv4(address: IPv6Address) -> IPv4Address:
    return IPv4Address(int(address) & 0xFFFF_FFFF)


def _embedded(address: IPv6Address) -> list[IPv4Address]:
    """Return the IPv4 addresses where RFC 6052, 2.2 puts them for prefixes of 48, 56 and 64 bits (skipping octet 8)."""
    octets = address.packed
    return [IPv4Address((octets[:8] + octets[9:])[start : start + 4]) for start in (6, 7, 8)]

"""The address table, row by row and by chance."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tools.guards.addresses import closed_by, dialable, effective, is_fake_ip, parse_address

CLOSED = {
    "0.0.0.0/8": "this network",
    "10.0.0.0/8": "private network",
    "100.64.0.0/10": "carrier-grade NAT",
    "127.0.0.0/8": "loopback",
    "169.254.0.0/16": "link-local",
    "172.16.0.0/12": "private network",
    "192.0.0.0/24": "IETF protocol assignments",
    "192.0.2.0/24": "documentation",
    "192.88.99.0/24": "6to4 relay",
    "192.168.0.0/16": "private network",
    "198.18.0.0/15": "benchmarking",
    "198.51.100.0/24": "documentation",
    "203.0.113.0/24": "documentation",
    "224.0.0.0/4": "multicast",
    "240.0.0.0/4": "reserved",
    "::/128": "unspecified",
    "::1/128": "loopback",
    "::2/128": "IPv4-compatible, deprecated",
    "64:ff9b:1::/48": "local NAT64",
    "100::/64": "discard-only",
    "2001::/32": "Teredo tunnel",
    "2001:2::/48": "IETF protocol assignments",
    "2001:db8::/32": "documentation",
    "2002::/16": "6to4 tunnel",
    "3fff::/20": "documentation",
    "fc00::/7": "unique local",
    "fe80::/10": "link-local",
    "fec0::/10": "site-local, deprecated",
    "ff00::/8": "multicast",
    "5f00::/16": "outside of 2000::/3, where all public addresses are",
    "::ffff:0:0:0/96": "outside of 2000::/3, where all public addresses are",
}
PUBLIC = (
    "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
    "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0",
    "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255",
    "198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
    "2001:200::1", "2001:db7:ffff::1", "2001:db9::1", "2003::1", "2606:4700:4700::1111", "3ffe:ffff::1",
    "3fff:1000::1",
)  # fmt: skip
METADATA = (
    "169.254.169.254", "169.254.170.2", "169.254.170.23", "169.254.169.253", "169.254.0.23", "169.254.42.42",
    "100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254",
    "fd00:42::42",
)  # fmt: skip

ipv4 = st.integers(0, 2**32 - 1).map(IPv4Address)


@pytest.mark.parametrize(("network", "kind"), CLOSED.items())
def test_a_closed_range_is_closed_from_its_first_address_to_its_last(network: str, kind: str) -> None:
    for address in (ip_network(network)[0], ip_network(network)[-1]):
        rule = closed_by(address)
        assert rule is not None
        assert rule.kind == kind


@pytest.mark.parametrize("address", PUBLIC)
def test_the_neighbours_of_closed_ranges_are_public(address: str) -> None:
    assert closed_by(ip_address(address)) is None


@pytest.mark.parametrize("address", METADATA)
def test_metadata_addresses_can_never_be_opened(address: str) -> None:
    rule = closed_by(ip_address(address))
    assert rule is not None
    assert rule.kind == "cloud metadata"
    assert not rule.openable


@pytest.mark.parametrize("metadata", [IPv4Address(text) for text in METADATA if ":" not in text])
@pytest.mark.parametrize(
    "prefix", ["::", "::ffff:0:0", "::ffff:0:0:0", "64:ff9b::", "64:ff9b:1::", "fe80::", "fd12::", "2606:4700::"]
)
def test_a_metadata_address_inside_an_ipv6_address_is_still_one(prefix: str, metadata: IPv4Address) -> None:
    rule = closed_by(IPv6Address(int(IPv6Address(prefix)) | int(metadata)))
    assert rule is not None
    assert not rule.openable


@pytest.mark.parametrize(
    "spelling", ["64:ff9b:1:a9fe:a9:fe00::", "64:ff9b:1:a9:fe:a9fe::", "64:ff9b:1:0:a9:fea9:fe00:0"]
)
def test_a_metadata_address_is_found_at_every_place_that_nat64_may_put_it(spelling: str) -> None:
    rule = closed_by(ip_address(spelling))
    assert rule is not None
    assert rule.kind == "cloud metadata"


@pytest.mark.parametrize("tunnel", ["::8.8.8.8", "2002:808:808::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"])
def test_old_tunnels_are_closed_for_good_even_to_public_addresses(tunnel: str) -> None:
    rule = closed_by(ip_address(tunnel))
    assert rule is not None
    assert not rule.openable


@given(ipv4)
def test_mapped_and_nat64_addresses_are_judged_as_the_ipv4_inside(inner: IPv4Address) -> None:
    for prefix in ("::ffff:0:0", "64:ff9b::"):
        outer = IPv6Address(int(IPv6Address(prefix)) | int(inner))
        assert effective(outer) == inner
        assert closed_by(outer) == closed_by(inner)


@given(ipv4)
def test_whatever_the_ipv4_every_other_embedding_is_refused(inner: IPv4Address) -> None:
    value = int(inner)
    for embedded in (value, 0xFFFF << 48 | value, 0x2002 << 112 | value << 80, 0x2001 << 112 | value ^ 0xFFFF_FFFF):
        assert closed_by(IPv6Address(embedded)) is not None


@given(st.integers(0, 2**128 - 1).map(IPv6Address))
def test_nothing_outside_of_global_unicast_is_public_but_embedded_ipv4(address: IPv6Address) -> None:
    if closed_by(address) is None:
        assert address in IPv6Network("2000::/3") or isinstance(effective(address), IPv4Address)


@given(ipv4)
def test_no_address_that_the_interpreter_calls_special_is_public_here(address: IPv4Address) -> None:
    special = address.is_private or address.is_loopback or address.is_multicast or address.is_reserved
    if special or address.is_link_local or address.is_unspecified:
        assert closed_by(address) is not None


def test_a_mapped_address_is_dialled_as_plain_ipv4_and_a_nat64_one_as_it_is() -> None:
    assert dialable(ip_address("::ffff:8.8.8.8")) == IPv4Address("8.8.8.8")
    assert dialable(ip_address("64:ff9b::808:808")) == IPv6Address("64:ff9b::808:808")


@pytest.mark.parametrize("address", ["198.18.0.1", "198.19.255.255", "::ffff:198.18.0.1"])
def test_fake_ip_addresses_are_known(address: str) -> None:
    assert is_fake_ip(ip_address(address))
    assert not is_fake_ip(ip_address("198.20.0.1"))


@pytest.mark.parametrize(
    "text", ["127.1", "0x7f.0.0.1", "010.0.0.1", "1.2.3.4.", " 1.2.3.4", "fe80::1%2", "[::1]", "", "a"]
)
def test_only_canonical_texts_are_addresses(text: str) -> None:
    assert parse_address(text) is None


def test_a_rule_says_its_kind_and_range() -> None:
    assert str(closed_by(ip_address("10.1.2.3"))) == "private network (10.0.0.0/8)"

"""How operators write the networks that they open."""

from __future__ import annotations

import contextlib
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tools.guards.networks import Networks, parse_network


@pytest.mark.parametrize(
    ("entry", "written"),
    [
        ("10.0.0.0/8", "10.0.0.0/8"),
        (" 10.0.0.0/8 ", "10.0.0.0/8"),
        ("10.0.0.5", "10.0.0.5/32"),
        ("10.0.0.5:8080", "10.0.0.5/32:8080"),
        ("10.0.0.0/8:443", "10.0.0.0/8:443"),
        ("fd00::/8", "fd00::/8"),
        ("fd00::1", "fd00::1/128"),
        ("[fd00::/8]", "fd00::/8"),
        ("[fd00::/8]:8080", "[fd00::/8]:8080"),
        ("[::1]:8080", "[::1/128]:8080"),
        ("0.0.0.0/0", "0.0.0.0/0"),
        ("::/0", "::/0"),
    ],
)
def test_a_network_is_read_with_and_without_a_port(entry: str, written: str) -> None:
    assert str(parse_network(entry)) == written
    assert parse_network(written) == parse_network(entry)


@pytest.mark.parametrize(
    ("entry", "remedy"),
    [
        ("", "not a network"),
        ("intranet", "not a network"),
        ("10.0.0.0/33", "not a network"),
        ("10.0.0.0/8:", "a port from 1 to 65535"),
        ("10.0.0.0/8:http", "a port from 1 to 65535"),
        ("10.0.0.0/8:0", "a port from 1 to 65535"),
        ("10.0.0.0/8:65536", "a port from 1 to 65535"),
        ("10.0.0.0/8:８０", "a port from 1 to 65535"),
        ("10.1.2.3/8", "write 10.0.0.0/8"),
        ("[fd00::1/8]:80", "write fd00::/8"),
        ("10.0.0.0/255.0.0.0", "as a number"),
        ("fd00::/8:8080:1:2:3:4:5:6:7", "not a network"),
        ("[fd00::/8]8080", "not a network"),
        ("[10.0.0.0/8", "not a network"),
        ("fe80::%eth0/64", "scope id"),
        ("::ffff:10.0.0.0/104", "write the IPv4 network"),
        ("64:ff9b::a00:0/104", "write the IPv4 network"),
        ("http://10.0.0.1", "not a network"),
        ("10.0.0.0/8:80\n", ""),
    ],
)
def test_a_wrong_entry_is_named_with_its_remedy(entry: str, remedy: str) -> None:
    if not remedy:
        assert parse_network(entry).port == 80
        return
    with pytest.raises(ValueError, match="write ") as caught:
        parse_network(entry)
    assert remedy in str(caught.value)
    assert f"'{entry}'" in str(caught.value)


def test_a_port_opens_that_port_alone() -> None:
    networks = Networks.parse(["10.0.0.0/8:8080", "[fd00::/8]:443", "192.168.0.0/16"])
    assert networks.cover(ip_address("10.1.2.3"), 8080)
    assert not networks.cover(ip_address("10.1.2.3"), 80)
    assert networks.cover(ip_address("fd00::1"), 443)
    assert not networks.cover(ip_address("fd00::1"), 80)
    assert networks.cover(ip_address("192.168.1.1"), 1)
    assert not networks.cover(ip_address("8.8.8.8"), 80)


def test_an_address_is_covered_by_the_ipv4_inside_it() -> None:
    networks = Networks.parse(["10.0.0.0/8"])
    assert networks.cover(ip_address("::ffff:10.0.0.1"), 80)
    assert networks.cover(ip_address("64:ff9b::10.0.0.1"), 80)
    assert not networks.cover(ip_address("::10.0.0.1"), 80)


@given(st.text())
def test_whatever_the_text_it_is_a_value_error_or_a_network_that_reads_the_same_again(text: str) -> None:
    with contextlib.suppress(ValueError):
        network = parse_network(text)
        assert parse_network(str(network)) == network

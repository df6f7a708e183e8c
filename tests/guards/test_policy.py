"""What a policy lets through, before a look-up and at the address."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tools.contract.errors import InvalidInputError
from agent_tools.guards.network_errors import DomainNotAllowedError, NameNotFoundError, RefusedAddressError
from agent_tools.guards.policy import NetworkPolicy
from agent_tools.guards.urls import parse_url

OPEN = NetworkPolicy()
EVERYTHING_OPENED = NetworkPolicy(allowed_networks=("0.0.0.0/0", "::/0"))


def _refusal(policy: NetworkPolicy, url: str) -> RefusedAddressError:
    with pytest.raises(RefusedAddressError) as caught:
        policy.check(parse_url(url))
    return caught.value


def test_a_refusal_names_the_address_the_rule_and_the_setting() -> None:
    error = _refusal(OPEN, "http://172.21.0.5/")
    assert error.message == (
        "Refused to connect to 172.21.0.5: private network (172.16.0.0/12); "
        "an operator can open it for this tool with allowed_networks."
    )
    assert error.details == {"host": "172.21.0.5", "address": "172.21.0.5", "rule": "private network (172.16.0.0/12)"}


def test_a_refusal_of_a_name_names_both_the_name_and_the_address() -> None:
    with pytest.raises(RefusedAddressError, match=r"10\.1\.2\.3, the address of wiki\.example\.com: private network"):
        OPEN.vet("wiki.example.com", 80, ["93.184.216.34", "10.1.2.3"])


def test_a_refusal_of_an_embedded_address_names_what_is_inside() -> None:
    assert "::ffff:7f00:1, which is 127.0.0.1: loopback" in _refusal(OPEN, "http://[::ffff:127.0.0.1]/").message


def test_a_fake_ip_answer_is_refused_with_its_usual_cause_and_the_setting() -> None:
    with pytest.raises(RefusedAddressError) as caught:
        OPEN.vet("github.com", 443, ["198.18.0.21"])
    assert "fake-IP DNS" in caught.value.message
    assert "add 198.18.0.0/15 to allowed_networks" in caught.value.message


def test_opened_fake_ip_addresses_are_for_names_and_never_literal() -> None:
    policy = NetworkPolicy(allowed_networks=("198.18.0.0/15",))
    assert policy.vet("github.com", 443, ["198.18.0.21"]) == (IPv4Address("198.18.0.21"),)
    assert "give the host's name" in _refusal(policy, "http://198.18.0.21/").message
    assert "give the host's name" in _refusal(policy, "http://[::ffff:198.18.0.21]/").message


def test_an_opened_network_is_open_at_its_port() -> None:
    policy = NetworkPolicy(allowed_networks=("10.0.0.0/8:8080", "[fd00::/8]:8080"))
    policy.check(parse_url("http://10.1.2.3:8080/"))
    policy.check(parse_url("http://[::ffff:10.1.2.3]:8080/"))
    policy.check(parse_url("http://[fd00::1]:8080/"))
    _refusal(policy, "http://10.1.2.3/")
    _refusal(policy, "http://192.168.0.1:8080/")


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "168.63.129.16", "[fd00:ec2::254]",
        "[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::a9fe:a9fe]", "[fd00:1::a9fe:a9fe]",
        "[::169.254.169.254]", "[2002:a9fe:a9fe::]", "[2001::5601:5601]", "[::10.0.0.1]", "[2002:808:808::1]",
    ],
)  # fmt: skip
def test_metadata_and_tunnels_stay_closed_whatever_is_opened(host: str) -> None:
    assert "allowed_networks" not in _refusal(EVERYTHING_OPENED, f"http://{host}/").message


def test_one_closed_address_among_several_refuses_all() -> None:
    with pytest.raises(RefusedAddressError):
        OPEN.vet("mixed.example.net", 80, ["93.184.216.34", "127.0.0.1"])
    with pytest.raises(RefusedAddressError, match="scope"):
        OPEN.vet("zone.example.net", 80, ["2606:4700::1", "fe80::1%2"])


def test_no_answer_at_all_is_a_name_that_was_not_found() -> None:
    with pytest.raises(NameNotFoundError):
        OPEN.vet("nowhere.example.com", 80, [])


def test_vetted_addresses_keep_their_order_without_repetition() -> None:
    answers = ["2606:4700::1", "93.184.216.34", "::ffff:93.184.216.34", "93.184.216.34"]
    assert OPEN.vet("example.com", 80, answers) == (IPv6Address("2606:4700::1"), IPv4Address("93.184.216.34"))


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "foo.localhost", "intranet", "intranet.", "ｌocalhost"])
def test_local_names_are_refused_before_a_look_up(host: str) -> None:
    assert "full name" in _refusal(OPEN, f"http://{host}/").message


def test_local_names_lead_into_opened_networks_and_nowhere_else() -> None:
    policy = NetworkPolicy(allowed_networks=("172.18.0.0/16",))
    policy.check(parse_url("http://searxng:8080/"))
    assert policy.vet("searxng", 8080, ["172.18.0.3"]) == (IPv4Address("172.18.0.3"),)
    for host, answer in [("searxng", "93.184.216.34"), ("a.localhost", "93.184.216.34"), ("searxng", "172.19.0.1")]:
        with pytest.raises(RefusedAddressError):
            policy.vet(host, 8080, [answer])


def test_domain_lists_are_asked_first_and_hold_for_addresses_too() -> None:
    policy = NetworkPolicy(allowed_domains=("*.example.com", "8.8.8.8"), blocked_domains=("b.example.com",))
    policy.check(parse_url("http://a.example.com/"))
    policy.check(parse_url("http://[::ffff:8.8.8.8]/"))
    for url in ("http://b.example.com/", "http://127.0.0.1/", "http://1.1.1.1/", "http://localhost/"):
        with pytest.raises(DomainNotAllowedError):
            policy.check(parse_url(url))


def test_every_wrong_entry_of_a_policy_is_named_at_its_place() -> None:
    with pytest.raises(InvalidInputError) as caught:
        NetworkPolicy(("ok.example", "https://x"), ("a:1",), ("10.0.0.0/8", "intranet"))
    assert [problem.field for problem in caught.value.problems] == [
        "allowed_domains.1", "blocked_domains.0", "allowed_networks.1",
    ]  # fmt: skip


def test_policies_are_values() -> None:
    assert NetworkPolicy(("a.example",)) == NetworkPolicy(("a.example",))
    assert len({NetworkPolicy(), NetworkPolicy()}) == 1
    assert "Networks(" not in repr(NetworkPolicy())


@given(st.lists(st.text(max_size=40) | st.ip_addresses().map(str), max_size=4))
def test_whatever_a_resolver_answers_only_public_addresses_are_dialled(answers: list[str]) -> None:
    try:
        vetted = OPEN.vet("example.com", 80, answers)
    except (RefusedAddressError, NameNotFoundError):
        return
    assert vetted
    assert not any(address.is_loopback or address.is_link_local or address.is_multicast for address in vetted)

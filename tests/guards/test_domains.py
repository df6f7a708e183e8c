"""Domain lists: what their entries mean, and every spelling that must not get around them."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tools.guards.domains import DomainRules, parse_domain, parse_domains
from agent_tools.guards.urls import parse_url


def _allowed(url: str, allowed: Sequence[str] = ("*",), blocked: Sequence[str] = ()) -> bool:
    rules = DomainRules(parse_domains(allowed), parse_domains(blocked))
    return not rules.refusal(parse_url(url).host)


@pytest.mark.parametrize(
    ("entry", "covered", "not_covered"),
    [
        ("api.com", ["api.com", "API.com.", "ａｐｉ。com"], ["x.api.com", "evilapi.com", "api.com.evil.test"]),
        ("*.api.com", ["x.api.com", "a.b.api.com", "X.API.COM."], ["api.com", "evilapi.com", "x.api.com.evil.test"]),
        ("*", ["api.com", "8.8.8.8", "[2606:4700::1]"], []),
        ("BÜCHER.example", ["bücher.example", "xn--bcher-kva.example"], ["bucher.example"]),
        ("xn--bcher-kva.example", ["bücher.example", "Bücher.example."], []),
        ("例子。中国", ["例子.中国", "xn--fsqu00a.xn--fiqs8s"], []),
        ("*.例子.中国.", ["a.例子.中国"], ["例子.中国"]),
        ("faß.example", ["xn--fa-hia.example"], ["fass.example"]),
        ("8.8.8.8", ["8.8.8.8", "[::ffff:8.8.8.8]", "[64:ff9b::808:808]"], ["8.8.4.4"]),
        ("[2606:4700::1]", ["[2606:4700:0::1]"], ["[2606:4700::2]"]),
        ("2606:4700::1", ["[2606:4700:0:0::1]"], []),
        ("*.com", ["api.com", "a.api.com"], ["api.org"]),
    ],
)
def test_an_entry_covers_all_spellings_of_what_it_names(entry: str, covered: list[str], not_covered: list[str]) -> None:
    for host in covered:
        assert _allowed(f"https://{host}/", [entry])
        assert not _allowed(f"https://{host}/", ["*"], [entry])
    for host in not_covered:
        assert not _allowed(f"https://{host}/", [entry])
        assert _allowed(f"https://{host}/", ["*"], [entry])


def test_an_empty_list_of_allowed_domains_allows_nothing() -> None:
    assert not _allowed("https://example.com/", [])


def test_a_block_wins_over_an_allowance() -> None:
    assert not _allowed("https://b.example.com/", ["*.example.com", "b.example.com"], ["b.example.com"])
    assert not _allowed("https://b.example.com/", ["*"], ["*"])


def test_a_refusal_says_which_list_refused_and_what_is_allowed() -> None:
    many = parse_domains([f"{letter}.example" for letter in "abcdefg"])
    blocked = DomainRules(blocked=parse_domains(["evil.test"]))
    assert "blocked_domains" in blocked.refusal("evil.test")
    assert "a.example, b.example, c.example, d.example, e.example and 2 more" in DomainRules(many).refusal("x.test")
    assert "allowed_domains is empty" in DomainRules(()).refusal("x.test")
    assert "*.api.com" in DomainRules(parse_domains(["*.api.com"])).refusal("x.test")


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("", "it has no host name"),
        ("https://example.com", "without scheme"),
        ("example.com/path", "without scheme, path"),
        ("user@example.com", "user"),
        ("example.com:8080", "port"),
        ("ex*mple.com", "a * where none can be"),
        ("*.*.com", "a * where none can be"),
        ("**", "a * where none can be"),
        ("*.", "it has no host name"),
        (".example.com", "write *.example.com"),
        ("*.10.0.0.1", "wildcard before an address"),
        ("*.0.0.1", "not an IPv4 address"),
        ("010.0.0.1", "not an IPv4 address"),
        ("a..b", "an empty part"),
        ("exa mple.com", "character ' '"),
        ("xn--a.com", "punycode"),
        ("a" * 64 + ".com", "longer than 63"),
        ("[::1", "port or scheme"),
        ("fe80::1%eth0", "port or scheme"),
    ],
)
def test_a_wrong_entry_is_named_with_its_remedy(entry: str, said: str) -> None:
    with pytest.raises(ValueError, match=r"write|give") as caught:
        parse_domain(entry)
    assert said in str(caught.value)
    assert f"'{entry}'" in str(caught.value)


@given(st.text())
def test_whatever_the_text_it_is_a_value_error_or_an_entry_that_reads_the_same_again(text: str) -> None:
    with contextlib.suppress(ValueError):
        pattern = parse_domain(text)
        assert parse_domain(str(pattern)) == pattern

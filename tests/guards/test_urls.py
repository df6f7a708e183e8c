"""Reading URLs: what passes is one thing to everybody, what does not is refused in a sentence without secrets."""

from __future__ import annotations

import contextlib
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent_tools.guards.addresses import closed_by
from agent_tools.guards.network_errors import InvalidUrlError
from agent_tools.guards.urls import MAX_URL, Url, parse_url


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("HTTP://EXAMPLE.com", "http://example.com/"),
        ("https://example.com:443/", "https://example.com/"),
        ("https://example.com:80/", "https://example.com:80/"),
        ("http://example.com:/", "http://example.com/"),
        ("http://example.com:00080/", "http://example.com/"),
        ("  http://example.com/ ", "http://example.com/"),
        ("http://example.com/#fragment", "http://example.com/"),
        ("http://example.com#fragment?no=query", "http://example.com/"),
        ("http://example.com/a/./b/../c/%2e%2E/d/..", "http://example.com/a/"),
        ("http://example.com/../../a", "http://example.com/a"),
        ("http://example.com//a//b", "http://example.com//a//b"),
        ("http://example.com/a b?c d", "http://example.com/a%20b?c%20d"),
        ("http://example.com/100%?50%", "http://example.com/100%?50%"),
        ("http://example.com/%7Euser%2fx", "http://example.com/%7Euser%2fx"),
        ("http://example.com/?q=\\alpha'<>\"", "http://example.com/?q=%5Calpha%27%3C%3E%22"),
        ("http://example.com/{a}|b^`", "http://example.com/%7Ba%7D|b%5E%60"),
        ("http://example.com/?", "http://example.com/?"),
        ("http://example.com/\U0001f600", "http://example.com/%F0%9F%98%80"),
        ("http://[2606:4700:0:0::1]:8080/", "http://[2606:4700::1]:8080/"),
        ("http://example.com./a", "http://example.com./a"),
        ("http://example.com。/a", "http://example.com./a"),
        ("http://a_b.example.com/", "http://a_b.example.com/"),
        ("http://-a-.example.com/", "http://-a-.example.com/"),
        ("http://\U0001f600.example/", "http://xn--e28h.example/"),
        ("http://K.example/", "http://k.example/"),
        ("http://example.com/@a:b", "http://example.com/@a:b"),
        ("http://example.com?u=a@b", "http://example.com/?u=a@b"),
    ],
)
def test_a_url_is_read_into_its_canonical_form(text: str, canonical: str) -> None:
    assert parse_url(text).text == canonical


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" ", "empty"),
        ("example.com", "begin with http"),
        ("example.com:80/", "begin with http"),
        ("localhost:8000/", "begin with http"),
        ("//example.com/", "begin with http"),
        ("://example.com/", "begin with http"),
        ("ftp://example.com/", "not 'ftp'"),
        ("javascript:alert(1)", "not 'javascript'"),
        ("gopher://127.0.0.1:6379/_x", "not 'gopher'"),
        ("ws://example.com/", "not 'ws'"),
        ("httpſ://example.com/", "begin with http"),
        ("http:example.com", "two slashes"),
        ("http:/example.com", "two slashes"),
        ("http://", "no host"),
        ("http:///path", "no host"),
        ("http://?q", "no host"),
        ("http://:80/", "no host"),
        ("http://.", "empty part"),
        ("http://.example.com/", "empty part"),
        ("http://a..b/", "empty part"),
        ("http://example.com../", "empty part"),
        ("http://@example.com/", "user name or password"),
        ("http://user@example.com/", "user name or password"),
        ("http://:hunter2@example.com/", "user name or password"),
        ("http://a:hunter2@b:hunter2@example.com/", "user name or password"),
        ("http://example.com\\.evil.test/", "backslash"),
        ("http://example.com/a\\b", "backslash"),
        ("http://exa\tmple.com/", "control character"),
        ("http://example.com/a\nb", "control character"),
        ("http://example.com/\x00", "control character"),
        ("http://example.com/\x85", "control character"),
        ("http://example.com/\ud800", "control character"),
        ("http://example.com:99999/", "from 1 to 65535"),
        ("http://example.com:-1/", "from 1 to 65535"),
        ("http://example.com:+80/", "from 1 to 65535"),
        ("http://example.com:8 0/", "from 1 to 65535"),
        ("http://example.com:８０/", "from 1 to 65535"),
        ("http://example.com:080800/", "from 1 to 65535"),
        ("http://example.com:22/", "another protocol"),
        ("http://example.com:0022/", "another protocol"),
        ("http://example.com:11211/", "another protocol"),
        ("http://[::1]extra/", "bracket"),
        ("http://[::1/", "bracket"),
        ("http://[]/", "not an IPv6 address"),
        ("http://[127.0.0.1]/", "not an IPv6 address"),
        ("http://[::1%251]/", "not an IPv6 address"),
        ("http://[::１]/", "not an IPv6 address"),
        ("http://[::ffff:127.0.0.01]/", "not an IPv6 address"),
        ("http://::1/", "more than one colon"),
        ("http://ex%61mple.com/", "character '%'"),
        ("http://a℀b.com/", "character '/'"),
        ("http://exam＃ple.com/", "character '#'"),
        ("http://a,b.com/", "character ','"),
        ("http://1.2.3/", "four plain decimal numbers"),
        ("http://1.2.3.4.5/", "four plain decimal numbers"),
        ("http://256.1.1.1/", "four plain decimal numbers"),
        ("http://１.１.１.１/", "four plain decimal numbers"),
        ("http://1。1。1。1/", "four plain decimal numbers"),
        ("http://example.1/", "four plain decimal numbers"),
        ("http://example.0x/", "four plain decimal numbers"),
        ("http://0x/", "four plain decimal numbers"),
        ("http://" + "a" * 64 + ".com/", "longer than 63"),
        ("http://" + "a." * 2000 + "com/", "longer than 253"),
        ("http://example.com/" + "a" * MAX_URL, "longer than 8192"),
        ("http://xn--localhost-.com/", "punycode"),
        ("http://xn--BCHER-KVA2.example/", "punycode"),
        ("http://\uffff.com/", "character that host names cannot have"),
    ],
)
def test_a_bad_url_is_refused_with_its_reason(text: str, said: str) -> None:
    with pytest.raises(InvalidUrlError) as caught:
        parse_url(text)
    assert said in caught.value.message
    assert caught.value.message.startswith("The URL cannot be used: ")
    assert caught.value.reason == "invalid_url"
    assert "hunter2" not in str(caught.value)
    assert len(caught.value.message) < 300


def test_the_parts_of_a_url_are_those_that_are_sent() -> None:
    url = parse_url("https://Bücher.example.:8443/Ä?q=1#f")
    assert url == Url("https", "xn--bcher-kva.example", 8443, "/%C3%84?q=1", rooted=True)
    assert url.authority == "xn--bcher-kva.example.:8443"
    assert url.origin == ("https", "xn--bcher-kva.example.", 8443)
    assert parse_url("http://1.1.1.1/").address == IPv4Address("1.1.1.1")
    assert parse_url("http://[::1]/").authority == "[::1]"


def test_secrets_in_a_query_are_masked_for_display_only() -> None:
    url = parse_url("https://h.example/a?page=2&api_key=s1&X-Amz-Signature=s2&access_token=s3&key=s4&monkey=5&empty=")
    assert str(url) == (
        "https://h.example/a?page=2&api_key=***&X-Amz-Signature=***&access_token=***&key=***&monkey=5&empty="
    )
    assert "s1" in url.text


HOST_PIECES = st.sampled_from((
    "127", "0", "1", "10", "0x7f", "017700000001", "2130706433", "169.254.169.254", "fe80", "ffff", "::", "::1", "80",
    ".", "。", "．", "[", "]", ":", "@", "%", "%2e", "%25lo", "\\", "/", "?", "#", " ", "\t", "_", "-", "localhost",
    "example", "com", "evil.test", "xn--", "①", "１", "ß", "\u00ad", "\u200d", "é", "K", "℀",
))  # fmt: skip
URLS = st.one_of(
    st.text(),
    st.builds("http://{}".format, st.text()),
    st.builds("https://{}/{}".format, st.lists(HOST_PIECES, max_size=8).map("".join), st.text(max_size=20)),
)


@given(URLS)
@example("http://h/\ufffe?\ufffe")
def test_whatever_the_text_it_is_a_url_that_reads_the_same_again_or_the_typed_error(text: str) -> None:
    with contextlib.suppress(InvalidUrlError):
        url = parse_url(text)
        assert url.text.isascii()
        assert url.text.isprintable()
        assert " " not in url.text
        assert parse_url(url.text) == url


@given(URLS)
def test_no_other_parser_sees_another_host_or_port_in_what_passed(text: str) -> None:
    with contextlib.suppress(InvalidUrlError):
        url = parse_url(text)
        host = f"{url.host}." if url.rooted else url.host
        standard = urlsplit(url.text)
        theirs = httpx.URL(url.text)
        assert standard.hostname == host
        assert theirs.raw_host.decode() == host
        assert (standard.port or url.port) == (theirs.port or url.port) == url.port
        assert parse_url(str(theirs)).origin == url.origin


@given(st.ip_addresses(v=4))
def test_no_spelling_of_a_closed_ipv4_address_passes_as_something_else(address: IPv4Address) -> None:
    value = int(address)
    octets = address.packed
    spellings = [
        str(value),
        hex(value),
        f"0{value:o}",
        ".".join(f"0{octet:o}" for octet in octets),
        ".".join(hex(octet) for octet in octets),
        f"{octets[0]}.{value & 0xFFFFFF}",
        f"{octets[0]}.{octets[1]}.{value & 0xFFFF}",
        f"{address}.",
        str(address).replace(".", "。"),
        str(address).translate({ord("0") + digit: 0xFF10 + digit for digit in range(10)}),
    ]
    for spelling in spellings:
        with pytest.raises(InvalidUrlError):
            parse_url(f"http://{spelling}/")
    assert parse_url(f"http://{address}/").address == address


@given(st.ip_addresses(v=6))
def test_every_spelling_of_an_ipv6_address_is_that_address(address: IPv6Address) -> None:
    low = IPv4Address(int(address) & 0xFFFF_FFFF)
    dotted = f"{address.exploded[:30]}{low}"
    for spelling in (str(address), address.exploded, address.exploded.upper(), dotted):
        url = parse_url(f"http://[{spelling}]/")
        assert url.address == address
        assert closed_by(url.address) == closed_by(address)

"""Resolving the Location of a redirect."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tools.guards.network_errors import InvalidUrlError
from agent_tools.guards.urls import parse_url, resolve_location

BASE = parse_url("http://a.example:8080/b/c/d;p?q")


@pytest.mark.parametrize(
    ("location", "text"),
    [
        # RFC 3986, 5.4, as far as fragments and other schemes do not matter.
        ("g", "http://a.example:8080/b/c/g"),
        ("./g", "http://a.example:8080/b/c/g"),
        ("g/", "http://a.example:8080/b/c/g/"),
        ("/g", "http://a.example:8080/g"),
        ("//g.example", "http://g.example/"),
        ("?y", "http://a.example:8080/b/c/d;p?y"),
        ("g?y", "http://a.example:8080/b/c/g?y"),
        ("#s", "http://a.example:8080/b/c/d;p?q"),
        ("g#s", "http://a.example:8080/b/c/g"),
        (";x", "http://a.example:8080/b/c/;x"),
        ("", "http://a.example:8080/b/c/d;p?q"),
        (".", "http://a.example:8080/b/c/"),
        ("..", "http://a.example:8080/b/"),
        ("../g", "http://a.example:8080/b/g"),
        ("../../../g", "http://a.example:8080/g"),
        ("g..", "http://a.example:8080/b/c/g.."),
        ("g;x=1/../y", "http://a.example:8080/b/c/y"),
        ("g?y/../x", "http://a.example:8080/b/c/g?y/../x"),
        # What servers really send.
        ("HTTPS://G.example/x", "https://g.example/x"),
        (" /g ", "http://a.example:8080/g"),
        ("/日本 語", "http://a.example:8080/%E6%97%A5%E6%9C%AC%20%E8%AA%9E"),
        ("//user.example/@x", "http://user.example/@x"),
        ("/x?next=http://127.0.0.1/", "http://a.example:8080/x?next=http://127.0.0.1/"),
        ("?a:b", "http://a.example:8080/b/c/d;p?a:b"),
    ],
)
def test_a_reference_is_resolved_against_the_url_that_answered(location: str, text: str) -> None:
    assert resolve_location(BASE, location).text == text


@pytest.mark.parametrize(
    "location",
    [
        "http:g",
        "http:/g",
        "https:",
        "http://",
        "///g",
        "/\\g.example",
        "\\\\g.example",
        "g\\..\\x",
        "mailto:a@b.example",
        "file:///etc/passwd",
        "//a:hunter2@g.example/",
        "http://hunter2@g.example/",
        "//g.example:25/",
        "//2130706433/",
        "/a\tb",
        "/" + "a" * 10_000,
    ],
)
def test_a_location_that_cannot_be_followed_is_refused(location: str) -> None:
    with pytest.raises(InvalidUrlError) as caught:
        resolve_location(BASE, location)
    assert "hunter2" not in str(caught.value)


@given(st.text())
def test_whatever_the_location_the_result_is_a_url_or_the_typed_error(location: str) -> None:
    with contextlib.suppress(InvalidUrlError):
        target = resolve_location(BASE, location)
        assert parse_url(target.text) == target


@given(st.text(alphabet="/\\.@:#?a%2e"))
def test_a_reference_without_an_authority_never_leaves_the_origin(location: str) -> None:
    with contextlib.suppress(InvalidUrlError):
        target = resolve_location(BASE, location)
        assert target.origin == BASE.origin or location.startswith("//")

"""What a redirect makes of a request."""

from __future__ import annotations

import pytest

from agent_tools.guards.network_errors import BadResponseError, InvalidUrlError
from agent_tools.guards.redirects import Outgoing, redirect_target, redirected
from agent_tools.guards.response import Headers
from agent_tools.guards.urls import parse_url

FIELDS = (
    ("Authorization", "Bearer s"),
    ("Cookie", "c"),
    ("X-API-Key", "s"),
    ("Content-Type", "application/json"),
    ("Accept", "text/html"),
    ("Accept-Language", "de"),
    ("User-Agent", "me"),
)
SAFE = {"Accept", "Accept-Language", "User-Agent"}
HERE = parse_url("https://example.com/a")
THERE = parse_url("https://other.example/b")


def _outgoing(method: str = "GET", body: bytes = b"") -> Outgoing:
    return Outgoing(HERE, method, FIELDS, body)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_lead_to_their_location(status: int) -> None:
    assert redirect_target(_outgoing(), status, Headers([("Location", "/b")])) == parse_url("https://example.com/b")


@pytest.mark.parametrize("status", [200, 201, 300, 304, 305, 306, 310, 404])
def test_other_statuses_are_answers_even_with_a_location(status: int) -> None:
    assert redirect_target(_outgoing(), status, Headers([("Location", "/b")])) is None


@pytest.mark.parametrize("fields", [[], [("Location", "")]])
def test_a_redirect_without_a_location_is_an_answer(fields: list[tuple[str, str]]) -> None:
    assert redirect_target(_outgoing(), 302, Headers(fields)) is None


def test_the_same_location_twice_is_one_and_different_ones_are_none() -> None:
    assert redirect_target(_outgoing(), 302, Headers([("location", "/b")] * 2)) == parse_url("https://example.com/b")
    with pytest.raises(BadResponseError):
        redirect_target(_outgoing(), 302, Headers([("Location", "/b"), ("Location", "/c")]))


def test_a_location_with_a_scheme_but_no_host_is_an_error() -> None:
    with pytest.raises(InvalidUrlError, match="no host"):
        redirect_target(_outgoing(), 302, Headers([("Location", "https:/b")]))


@pytest.mark.parametrize(
    ("method", "status", "follows"),
    [
        ("POST", 301, "GET"), ("POST", 302, "GET"), ("POST", 303, "GET"), ("POST", 307, "POST"), ("POST", 308, "POST"),
        ("PUT", 301, "PUT"), ("PUT", 302, "PUT"), ("PUT", 303, "GET"), ("DELETE", 303, "GET"),
        ("DELETE", 302, "DELETE"), ("GET", 303, "GET"), ("HEAD", 301, "HEAD"), ("HEAD", 303, "HEAD"),
        ("HEAD", 307, "HEAD"),
    ],
)  # fmt: skip
def test_the_method_follows_as_in_browsers(method: str, status: int, follows: str) -> None:
    request = redirected(_outgoing(method, b"{}"), status, THERE)
    assert request.method == follows
    assert request.body == (b"" if follows == "GET" else b"{}")


def test_a_body_that_is_dropped_takes_its_description_along() -> None:
    request = redirected(_outgoing("POST", b"{}"), 302, parse_url("https://example.com/b"))
    assert [name for name, _ in request.fields] == [name for name, _ in FIELDS if name != "Content-Type"]


@pytest.mark.parametrize("text", ["https://example.com/b", "https://example.com:443/b", "HTTPS://EXAMPLE.COM/b"])
def test_within_the_origin_everything_goes_along(text: str) -> None:
    assert redirected(_outgoing("POST", b"{}"), 307, parse_url(text)).fields == FIELDS


@pytest.mark.parametrize(
    "text",
    [
        "https://www.example.com/", "https://example.com:8443/", "http://example.com/", "http://example.com:443/",
        "https://example.com.evil.test/", "https://example.com./", "https://1.1.1.1/",
    ],
)  # fmt: skip
def test_to_another_origin_only_what_describes_no_person_goes_along(text: str) -> None:
    request = redirected(_outgoing(), 307, parse_url(text))
    assert {name for name, _ in request.fields} == SAFE


def test_a_body_that_is_sent_to_another_origin_keeps_its_type() -> None:
    request = redirected(_outgoing("POST", b"{}"), 307, THERE)
    assert {name for name, _ in request.fields} == SAFE | {"Content-Type"}


def test_what_was_dropped_does_not_come_back_with_the_origin() -> None:
    back = redirected(redirected(_outgoing(), 302, THERE), 302, HERE)
    assert {name for name, _ in back.fields} == SAFE

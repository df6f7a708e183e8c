"""Which header fields a model may set beside the operator's."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tools.guards.headers import MAX_FIELDS, checked_fields, merged_fields
from agent_tools.guards.network_errors import HeaderNotAllowedError


def test_the_operator_s_fields_come_first_and_the_model_s_are_added() -> None:
    merged = merged_fields({"Authorization": "Bearer o"}, {"X-Page": " 2 ", "X-Id": "a=b"})
    assert merged == (("Authorization", "Bearer o"), ("X-Page", "2"), ("X-Id", "a=b"))


def test_a_model_cannot_change_what_the_operator_set_in_any_case_of_letters() -> None:
    with pytest.raises(HeaderNotAllowedError, match=r"authorization is set by this tool's operator") as caught:
        merged_fields({"Authorization": "Bearer operator"}, {"authorization": "Bearer model"})
    assert "Bearer" not in str(caught.value)
    assert caught.value.reason == "header_not_allowed"


def test_a_model_may_repeat_what_the_operator_set_to_no_effect() -> None:
    assert merged_fields({"Accept": "text/plain"}, {"accept": "text/plain"}) == (("Accept", "text/plain"),)


@pytest.mark.parametrize(
    "name",
    [
        "Host", "hOsT", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Upgrade", "TE", "Trailer",
        "Expect", "Accept-Encoding", "Proxy-Authorization", "proxy-anything", "HTTP2-Settings",
    ],
)  # fmt: skip
def test_fields_that_belong_to_the_connection_are_nobody_s_to_set(name: str) -> None:
    with pytest.raises(HeaderNotAllowedError, match=f"The header {name} cannot be set"):
        merged_fields({}, {name: "x"})
    with pytest.raises(HeaderNotAllowedError):
        checked_fields([(name, "x")])


@pytest.mark.parametrize("name", ["X-HTTP-Method-Override", "x-http-method", "X-Method-Override"])
def test_a_model_cannot_smuggle_in_another_method(name: str) -> None:
    with pytest.raises(HeaderNotAllowedError, match="method"):
        merged_fields({}, {name: "DELETE"})
    assert merged_fields({name: "PATCH"}, {})


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"X-A": "a\r\nHost: internal"}, "The value of the header X-A must not have line breaks"),
        ({"X-A": "a\n"}, "line breaks"),
        ({"X-A": "a\rb"}, "line breaks"),
        ({"X-A": "a\0b"}, "NUL"),
        ({"X-A": "a\x0bb"}, "printable ASCII"),
        ({"X-A": "é"}, "printable ASCII"),
        ({"X-A": "\u2028"}, "printable ASCII"),
        ({"X-A": 5}, "must be a text, not int"),
        ({"X-A": None}, "must be a text, not NoneType"),
        ({"X-A": ["a"]}, "must be a text, not list"),
        ({"X-A": b"a"}, "must be a text, not bytes"),
        ({"X-A": "a" * 8_193}, "longer than 8192"),
        ({"": "a"}, "no valid name"),
        ({"X A": "a"}, "no valid name"),
        ({"X-A:": "a"}, "no valid name"),
        ({"X-A\r\nHost": "a"}, "no valid name"),
        ({"Ж": "a"}, "no valid name"),
        ({"a" * 129: "a"}, "no valid name"),
        ({"X-A": "1", "x-a": "1"}, "given twice"),
        ({f"X-{index}": "1" for index in range(MAX_FIELDS + 1)}, "more than 50"),
        ({f"X-{index}": "1" * 8_000 for index in range(5)}, "together are longer"),
    ],
)
def test_a_malformed_field_is_refused_in_one_sentence_that_names_it(fields: Mapping[str, object], said: str) -> None:
    with pytest.raises(HeaderNotAllowedError) as caught:
        merged_fields({}, fields)
    assert said in caught.value.message
    assert "\n" not in caught.value.message
    assert len(caught.value.message) < 250


@given(st.dictionaries(st.text() | st.sampled_from(["X-A", "Accept"]), st.text() | st.integers() | st.none()))
def test_whatever_the_fields_what_passes_can_stand_in_a_head(fields: dict[str, object]) -> None:
    with contextlib.suppress(HeaderNotAllowedError):
        for name, value in merged_fields({}, fields):
            line = f"{name}: {value}"
            assert line.isascii()
            assert "\n" not in line
            assert "\r" not in line
            assert "\0" not in line


def test_cookies_are_the_operator_s_alone() -> None:
    assert merged_fields({"Cookie": "a=b"}, {}) == (("Cookie", "a=b"),)
    with pytest.raises(HeaderNotAllowedError, match="operator"):
        merged_fields({}, {"cookie": "a=b"})

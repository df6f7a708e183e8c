from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tools.models import AgentTool, PermissionRule
from agent_tools.pipeline.globs import matches
from agent_tools.pipeline.prepare import bind
from agent_tools.pipeline.rules import verdicts_of
from agent_tools.pipeline.validation import validated


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("*", ""),
        ("*", "any\nthing"),
        ("file_*", "file_write"),
        ("*_write", "file_write"),
        ("f*e_*e", "file_write"),
        ("a**b", "ab"),
        ("", ""),
        ("a.c", "a.c"),
        ("[ab]?", "[ab]?"),
    ],
)
def test_a_star_stands_for_any_characters_and_nothing_else_is_special(pattern: str, text: str) -> None:
    assert matches(pattern, text)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("file_*", "File_write"), ("a*a", "a"), ("a.c", "abc"), ("file", "file_write"), ("", "x"), ("a*b*c", "acb")],
)
def test_all_of_the_text_has_to_fit(pattern: str, text: str) -> None:
    assert not matches(pattern, text)


@given(st.lists(st.text("ab", max_size=3), min_size=1, max_size=5), st.data())
def test_whatever_the_stars_stand_for_matches(parts: list[str], data: st.DataObject) -> None:
    filled = parts[0] + "".join(data.draw(st.text("abc", max_size=3)) + part for part in parts[1:])
    assert matches("*".join(parts), filled)


def test_a_pattern_of_many_stars_is_quick_on_a_long_text() -> None:
    assert not matches("*a" * 50 + "*b", "a" * 500_000)


def applies(arguments: dict[str, Any], action: str = "deny", **fields: str) -> bool:
    bound = bind(AgentTool(name="s", slug="shaped", type="shaped", config={}))
    rule = PermissionRule(action=action, reason="because", **fields)
    return bool(verdicts_of([rule], "shaped", validated(bound, arguments)))


def test_a_rule_without_an_argument_always_applies_to_its_tools() -> None:
    assert applies({"path": "a"})
    assert applies({"path": "a"}, tool_pattern="sha*")
    assert not applies({"path": "a"}, tool_pattern="Shaped")
    assert not applies({"path": "a"}, tool_pattern="other_*")


@pytest.mark.parametrize("action", ["deny", "ask"])
def test_a_deny_and_an_ask_look_at_every_depth_and_in_any_case(action: str) -> None:
    nested = {"path": "a", "headers": {"X-To": "EVIL.example"}, "items": [{"url": "https://evil.example/x"}]}
    assert applies(nested, action, argument_pattern="*evil.example*")
    assert applies(nested, action, argument_name="headers", argument_pattern="evil.*")
    assert applies(nested, action, argument_name="url", argument_pattern="https://*")
    assert applies(nested, action, argument_name="items.url", argument_pattern="https://*")
    assert not applies(nested, action, argument_name="path", argument_pattern="*evil*")


def test_numbers_and_booleans_are_matched_as_json_writes_them() -> None:
    assert applies({"path": "a", "depth": 7}, argument_name="depth", argument_pattern="7")
    assert applies({"path": "a", "items": [{"x": True}]}, argument_name="x", argument_pattern="true")
    assert applies({"path": "a", "items": [{"x": None}]}, argument_name="x", argument_pattern="null")


def test_a_default_that_was_not_sent_counts_as_a_value() -> None:
    assert applies({"path": "a"}, argument_name="mode", argument_pattern="read")


def test_a_name_without_a_pattern_means_that_the_argument_is_sent() -> None:
    assert applies({"path": "a", "depth": 2}, argument_name="depth")
    assert not applies({"path": "a"}, argument_name="depth")
    assert not applies({"path": "a"}, "allow", argument_name="depth")


def test_an_allow_wants_every_value_of_the_named_argument() -> None:
    items = [{"url": "ok/1"}, {"url": "ok/2"}]
    assert applies({"path": "a", "items": items}, "allow", argument_name="items", argument_pattern="ok/*")
    items.append({"url": "evil"})
    assert not applies({"path": "a", "items": items}, "allow", argument_name="items", argument_pattern="ok/*")


def test_an_allow_is_not_taken_in_by_a_decoy() -> None:
    decoy = {"path": "evil", "headers": {"path": "ok/1"}}
    assert not applies(decoy, "allow", argument_name="path", argument_pattern="ok/*")
    assert not applies(decoy, "allow", argument_pattern="ok/*")
    assert not applies({"path": "OK/1"}, "allow", argument_name="path", argument_pattern="ok/*")


def test_an_allow_for_any_argument_looks_at_the_calls_own() -> None:
    assert applies({"path": "ok/1"}, "allow", argument_pattern="ok/*")

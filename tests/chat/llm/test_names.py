from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.llm.names import CallIds, ToolNames
from chat.llm.profile import IdStyle
from tests.fakes.llm import call
from tests.fakes.strict_provider import Strict, complain


def defined(names: Iterable[str]) -> list[dict[str, Any]]:
    schema = {"type": "object", "properties": {}}
    return [{"type": "function", "function": {"name": name, "parameters": schema}} for name in names]


@given(st.lists(st.text(max_size=70), max_size=8))
def test_tool_names_are_fit_unique_and_lead_back(names: list[str]) -> None:
    mapped = ToolNames(names)
    sent = {name: mapped.wire(name) for name in names}
    assert len(set(sent.values())) == len(set(names))
    assert all(mapped.own(told) == name for name, told in sent.items())
    body = {"messages": [{"role": "user", "content": "x"}], "tools": defined(sent.values())}
    assert complain(body, Strict()) is None


def test_a_fit_name_keeps_itself_when_another_would_become_it() -> None:
    names = ToolNames(["a.b", "a_b"])
    assert (names.wire("a_b"), names.wire("a.b"), names.own("unknown.x")) == ("a_b", "a_b_2", "unknown.x")


@pytest.mark.parametrize("style", list(IdStyle))
def test_ids_are_the_same_in_every_request(style: IdStyle) -> None:
    calls = [call("a", provider_id="search:0"), call("b", provider_id="search:0"), call("x" * 50), call("é")]
    first, second = ([CallIds(style).give(one, ours=True) for one in calls] for _ in range(2))
    given_ids = CallIds(style)
    told = [given_ids.give(one, ours=True) for one in calls]
    assert first == second
    assert len(set(told)) == 4
    assert [given_ids.of(one.id) for one in calls] == told


def test_a_providers_own_id_is_kept_for_it_once() -> None:
    ids = CallIds(IdStyle.PROVIDER)
    calls = [(call("a", provider_id="functions.f:0"), True), (call("b", provider_id="functions.f:0"), True)]
    calls.append((call("c", provider_id="functions.g:1"), False))
    assert [ids.give(one, ours=ours) for one, ours in calls] == ["functions.f:0", "b", "c"]

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.llm import body_of, final, read
from tests.fakes.model_script import calls, tool_call

DIALECTS = (
    "openai",
    "whole",
    "no_index",
    "no_id",
    "empty_id",
    "bare",
    "repeated_name",
    "cumulative",
    "object",
    "late_id",
    "arguments_first",
)
ARGUMENTS = st.dictionaries(
    st.sampled_from("abc"), st.integers() | st.text('{}[]":, é', max_size=6), min_size=1, max_size=3
)
CALLS = st.lists(st.tuples(st.sampled_from(["read", "write"]), ARGUMENTS), min_size=1, max_size=4)


@given(st.sampled_from(DIALECTS), CALLS)
def test_the_same_calls_in_any_dialect_are_the_same_calls(
    dialect: str, asked: list[tuple[str, dict[str, object]]]
) -> None:
    told = [
        (name, {"n": place, **arguments}) for place, (name, arguments) in enumerate(asked)
    ]  # neighbours differ: a sender without ids that repeats a call word for word cannot be told from one that stutters
    steps = [
        tool_call(name, arguments, id=f"call_{place}", index=place, dialect=dialect)
        for place, (name, arguments) in enumerate(told)
    ]
    response = final(read([body_of(calls(*steps))]))
    assert [(call.name, json.loads(call.arguments)) for call in response.calls] == told
    assert all(call.complete for call in response.calls)


@given(st.sampled_from([*DIALECTS]), CALLS)
def test_calls_that_share_an_index_are_told_apart(dialect: str, asked: list[tuple[str, dict[str, object]]]) -> None:
    told = [(name, {"n": place, **arguments}) for place, (name, arguments) in enumerate(asked)]
    if dialect in {"cumulative", "arguments_first", "late_id"}:
        told = told[:1]
    steps = [tool_call(name, value, id=f"call_{place}", dialect=dialect) for place, (name, value) in enumerate(told)]
    response = final(read([body_of(calls(*steps))]))
    assert [(call.name, json.loads(call.arguments)) for call in response.calls] == told

"""Histories of every kind for property tests: ordinary ones, and ones that cuts, crashes and edits have mangled."""

from __future__ import annotations

from hypothesis import strategies as st

from chat.llm.types import HistoryCall, Message, Role
from tests.fakes.llm import assistant, call, result, system, user

WORDS = st.sampled_from(["", "  ", "Hello.", "世界", "a\ud83db", "x\x00y"])
IDS = st.sampled_from(["c1", "c2", "c3", "", "search:0", "x" * 60, "a b/../c"])
NAMES = st.sampled_from(["fetch", "read", "", "a.b c", "n" * 80, "multi_tool_use.parallel"])
ARGUMENTS = st.sampled_from(
    ["{}", "", '{"a":1}', "[]", "null", '{"a', '{"x":NaN}', "{'a':1}", '{"a":"\\ud83d"}', '{"a":"\n"}']
)
CALLS = st.builds(
    HistoryCall, id=IDS, name=NAMES, arguments=ARGUMENTS, provider_id=st.sampled_from([None, "", "p1", "search:0", "é"])
)
MESSAGES = st.one_of(
    st.builds(Message, role=st.sampled_from([Role.SYSTEM, Role.USER]), content=WORDS),
    st.builds(
        Message,
        role=st.just(Role.ASSISTANT),
        content=WORDS,
        calls=st.lists(CALLS, max_size=3).map(tuple),
        thinking=WORDS,
        reasoning_field=st.sampled_from(["", "reasoning_content", "reasoning"]),
        origin=st.sampled_from(["", "elsewhere", "http://127.0.0.1/v1#test-model"]),
        extra=st.sampled_from([{}, {"signature": "s"}, {"role": "system", "content": None}]),
    ),
    st.builds(Message, role=st.just(Role.TOOL), call_id=IDS, content=WORDS, images=st.sampled_from([(), ("data:x",)])),
)
HISTORIES = st.lists(MESSAGES, max_size=12)

ORDINARY = (
    system(),
    user("Compare two pages."),
    assistant(
        "I fetch both.", call("c1"), call("c2", "read", '{"path":"a"}'), thinking="Hm.", reasoning_field="reasoning"
    ),
    result("c1", "one"),
    result("c2", "two"),
    assistant("", call("c3")),
    result("c3", "three"),
    assistant("They differ."),
    user("Why?"),
    assistant("", call("c4")),
    result("c4", "four"),
    assistant("Because."),
    user("Thanks."),
)

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.llm.profile import Echo, EmptyContent, IdStyle, MaxTokensName, Profile, SchemaLevel
from chat.llm.types import Message, Request
from tests.chat.llm.histories import HISTORIES, ORDINARY
from tests.fakes.llm import as_sent, request, tool
from tests.fakes.strict_provider import GEMINI_SCHEMA, MISTRAL_IDS, Strict, complain

STRICTEST = Strict(
    content_null=False,
    system=False,
    user_after_tool=False,
    images=False,
    unknown_message_keys=False,
    id_pattern=MISTRAL_IDS,
    refused_parameters=frozenset({"stream_options", "tool_choice", "parallel_tool_calls", "max_tokens"}),
    schema_keywords=GEMINI_SCHEMA,
    reasoning="demanded",
)
FITTING = Profile(
    empty_content=EmptyContent.EMPTY,
    system=False,
    user_after_tool=False,
    images=False,
    replay=False,
    id_style=IdStyle.ALNUM9,
    refused=frozenset({"stream_options", "tool_choice", "parallel_tool_calls"}),
    max_tokens_name=MaxTokensName.MAX_COMPLETION_TOKENS,
    schema=SchemaLevel.PLAIN,
    echo=Echo.DEMANDED,
    reasoning_field="reasoning_content",
)
RIVALS = [
    pytest.param(Profile(), Strict(), id="OpenAI"),
    pytest.param(Profile(empty_content=EmptyContent.EMPTY), Strict(content_null=False), id="Ollama"),
    pytest.param(Profile(), Strict(content_empty=False), id="Bedrock"),
    pytest.param(Profile(tools=False), Strict(tools=False), id="no tools"),
    pytest.param(Profile(echo=Echo.NEVER), Strict(reasoning="refused"), id="no reasoning"),
    pytest.param(
        Profile(echo=Echo.DEMANDED_WITH_CALLS, reasoning_field="reasoning_content"),
        Strict(reasoning="demanded_with_calls"),
        id="DeepSeek",
    ),
    pytest.param(FITTING, STRICTEST, id="the strictest"),
]
WILD = tool(
    "a.b c",
    {"$ref": {"type": ["string", "null"]}, "n": {"type": "integer", "exclusiveMinimum": 0}},
    additionalProperties=False,
)


@pytest.mark.parametrize(("profile", "strict"), RIVALS)
@given(messages=HISTORIES, with_tools=st.booleans())
def test_any_history_is_accepted_by_a_strict_provider(
    profile: Profile, strict: Strict, messages: list[Message], with_tools: bool
) -> None:
    tools = (tool("fetch"), tool("read"), WILD) if with_tools else ()
    asked = (
        request(*messages, tools=tools, tool_choice="none", max_tokens=9)
        if messages
        else Request(messages=(), tools=tools)
    )
    complaint = complain(as_sent(asked, profile), strict)
    assert complaint is None, complaint


@pytest.mark.parametrize(("profile", "strict"), RIVALS)
def test_a_history_cut_anywhere_is_accepted(profile: Profile, strict: Strict) -> None:
    for start in range(len(ORDINARY)):
        for end in range(start, len(ORDINARY) + 1):
            kept = (ORDINARY[0], *ORDINARY[max(start, 1) : end])
            complaint = complain(as_sent(Request(messages=kept, tools=(tool(),)), profile), strict)
            assert complaint is None, complaint

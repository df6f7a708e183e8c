from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from chat.llm.facts import read_facts
from chat.llm.failures import failure
from chat.llm.learn import learn
from chat.llm.profile import Echo, EmptyContent, Profile
from chat.llm.types import ModelEndpoint
from chat.llm.wire import body_of
from tests.chat.llm.refusals import TEACHES
from tests.fakes.llm import assistant, call, request, result, system, tool, user

ENDPOINT = ModelEndpoint(
    base_url="http://x",
    model="m",
    parameters={"parallel_tool_calls": False, "temperature": 0.2, "chat_template_kwargs": {"enable_thinking": True}},
)
WILD = tool(
    "f",
    {"n": {"type": "integer", "exclusiveMinimum": 0}, "s": {"type": ["string", "null"]}},
    additionalProperties=False,
)
HISTORY = [
    system(),
    user(),
    assistant(
        "",
        call("c1", provider_id="call_abc", extra={"sig": "s"}),
        thinking="Hm.",
        reasoning_field="reasoning",
        origin=ENDPOINT.origin,
        extra={"annotations": [1]},
    ),
    result("c1", images=("data:x",)),
]
EMPTY = Profile(empty_content=EmptyContent.EMPTY)


def refusal(words: str, profile: Profile, *, status: int = 400, param: str = "", **more: Any) -> Any:
    asked = request(*HISTORY, tools=[WILD], tool_choice="none", max_tokens=9, **more)
    body, _ = body_of(asked, ENDPOINT, profile)
    error = failure(
        read_facts({"error": {"message": words, "param": param, "type": "invalid_request_error"}}, status=status)
    )
    return learn(profile, error, body)


@pytest.mark.parametrize(
    ("change", "before", "words"), [(change, before, words) for change, before, all_ in TEACHES for words in all_]
)
def test_a_refusal_teaches_one_thing(change: dict[str, Any], before: dict[str, Any], words: str) -> None:
    param, told, said = words.rpartition("|")
    profile = replace(Profile(), **before)
    lesson = refusal(said, profile, param=param if told else "")
    assert lesson is not None
    change = {name: frozenset(value) if isinstance(value, set) else value for name, value in change.items()}
    assert lesson.profile == replace(profile, **change)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("This model's maximum context length is 8192 tokens. Reduce the length of the messages.", 400),
        ("Incorrect API key provided", 401),
        ("The model `m` does not exist", 404),
        ("Rate limit reached", 429),
        ("max_tokens is too large: 9. This model supports at most 4 completion tokens.", 400),
        ("Something went wrong", 400),
        ("Internal Server Error", 500),
        ("", 400),
        ("temperature must be between 0 and 2", 503),
    ],
)
def test_other_failures_teach_nothing(words: str, status: int) -> None:
    assert refusal(words, Profile(), status=status) is None


def test_a_demand_for_every_answer_is_met_at_once_where_there_are_no_calls() -> None:
    body, _ = body_of(request(user(), assistant("x"), user()), ENDPOINT, Profile())
    error = failure(read_facts({"error": "reasoning_content is missing in assistant message"}, status=400))
    lesson = learn(Profile(), error, body)
    assert lesson is not None
    assert lesson.profile.echo is Echo.DEMANDED


def test_history_with_calls_and_no_tools_is_told_in_words_where_tools_are_demanded() -> None:
    body, _ = body_of(request(*HISTORY), ENDPOINT, Profile())
    words = "Bedrock doesn't support tool calling without `tools=` param specified."
    lesson = learn(Profile(), failure(read_facts({"error": words}, status=400)), body)
    assert lesson is not None
    assert lesson.profile.calls_need_tools


@pytest.mark.parametrize(
    ("words", "learned"),
    [
        ("Jinja: can only concatenate str (not NoneType) to str", True),
        ("template error: Unexpected role 'user' after role 'tool'", True),
        ("Tool calls are not available right now", False),
        ("stream_options: unexpected failure", False),
    ],
)
def test_from_a_servers_failure_only_what_breaks_chat_templates_is_learned(words: str, learned: bool) -> None:
    assert (refusal(words, Profile(), status=500) is not None) is learned


def test_nothing_is_turned_twice_in_one_request() -> None:
    body, _ = body_of(request(*HISTORY), ENDPOINT, EMPTY)
    error = failure(read_facts({"error": "content must not be empty"}, status=400))
    assert learn(EMPTY, error, body, {"empty_content"}) is None

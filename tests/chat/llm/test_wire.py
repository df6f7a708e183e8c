from __future__ import annotations

import json
from typing import Any

import pytest

from chat.llm.profile import Echo, Profile
from chat.llm.types import ModelEndpoint
from chat.llm.wire import body_of, encode
from tests.fakes.llm import ENDPOINT, as_sent, assistant, call, request, result, system, tool, user


def test_the_body_asks_for_a_stream_with_usage_and_nothing_that_was_not_asked_for() -> None:
    assert as_sent(request()) == {
        "model": "test-model",
        "messages": [{"role": "user", "content": "Hello"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_parameters_of_the_endpoint_join_and_cannot_replace_what_is_ours() -> None:
    endpoint = ModelEndpoint(
        base_url="http://x",
        model="m",
        parameters={"temperature": 0.5, "stream": False, "messages": [], "n": 3},
        thinking_parameters={"reasoning_effort": "high"},
        plain_parameters={"reasoning_effort": "none"},
    )
    on = as_sent(request(thinking=True), endpoint=endpoint)
    assert (on["temperature"], on["stream"], len(on["messages"]), on["reasoning_effort"]) == (0.5, True, 1, "high")
    assert "n" not in on
    assert as_sent(request(), endpoint=endpoint)["reasoning_effort"] == "none"


def test_tools_are_sorted_by_name_whatever_their_order() -> None:
    tools = [tool("c"), tool("a"), tool("b")]
    bodies = {encode(body_of(request(tools=some), ENDPOINT, Profile())[0]) for some in (tools, tools[::-1])}
    assert len(bodies) == 1
    assert [one["function"]["name"] for one in json.loads(bodies.pop())["tools"]] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("choice", "refused", "sent"),
    [("auto", [], None), ("none", [], "none"), ("required", [], "required"), ("none", ["tool_choice"], None)],
)
def test_a_choice_is_sent_only_when_it_says_something_and_is_taken(
    choice: Any, refused: list[str], sent: str | None
) -> None:
    body = as_sent(request(tools=[tool()], tool_choice=choice), Profile(refused=frozenset(refused)))
    assert body.get("tool_choice") == sent
    assert body["tools"]


def test_a_choice_without_tools_is_not_sent() -> None:
    assert "tool_choice" not in as_sent(request(tool_choice="none"))


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("", "{}"),
        ("  ", "{}"),
        ("null", "{}"),
        ("[]", "{}"),
        ('{"path":"a","content":"hal', "{}"),
        ('{ "b": 1, "a": 2 } ', '{ "b": 1, "a": 2 } '),
        ('{"x":NaN,"y":-Infinity}', '{"x":"nan","y":"-inf"}'),
        ('{"x":"\\ud83d"}', '{"x":"\ufffd"}'),
        ('{"x":"\\ud83d\\ude00"}', '{"x":"😀"}'),
        ('{"x":"a\\u0000b"}', '{"x":"ab"}'),
        ('{"x":"a\nb"}', '{"x":"a\\nb"}'),
    ],
)
def test_arguments_go_out_as_they_came_or_as_an_object_that_servers_can_parse(text: str, sent: str) -> None:
    body = as_sent(request(user(), assistant("", call("a", arguments=text)), result("a")))
    assert body["messages"][1]["tool_calls"][0]["function"]["arguments"] == sent


def test_lone_surrogates_nul_and_numbers_that_are_none_never_leave() -> None:
    bad = tool("f", {"x": {"type": "number", "default": float("nan"), "description": "\ud83d"}})
    body = as_sent(
        request(user("a\ud83db\x00"), tools=[bad]),
        endpoint=ModelEndpoint(base_url="http://x", model="m", parameters={"p": float("inf")}),
    )
    assert body["messages"][0]["content"] == "a\ufffdb"
    assert body["tools"][0]["function"]["parameters"]["properties"]["x"]["default"] == "nan"
    assert body["p"] == "inf"


def test_images_of_results_follow_all_results_in_a_message_of_the_person() -> None:
    history = [
        user(),
        assistant("", call("a"), call("b")),
        result("a", images=("data:1",)),
        result("b", images=("data:2",)),
    ]
    messages = as_sent(request(*history))["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool", "user"]
    assert [part["type"] for part in messages[-1]["content"]] == ["text", "image_url", "image_url"]
    later = as_sent(request(*history, user("And?")))["messages"]
    assert later[-1]["content"][0]["text"] == "And?"
    assert len(later) == 5
    blind = as_sent(request(*history), Profile(images=False))["messages"]
    assert "left out" in blind[2]["content"]


def test_reasoning_and_unknown_keys_go_back_to_their_sender_alone() -> None:
    said = assistant(
        "",
        call("a", provider_id="p", extra={"sig": "s", "function": {"f": 1}}),
        thinking="Hm.",
        reasoning_field="reasoning",
        extra={"details": [1], "role": "user", "empty": []},
        origin=ENDPOINT.origin,
    )
    here = as_sent(request(user(), said, result("a")))["messages"][1]
    assert (here["reasoning"], here["details"], here["role"], "empty" in here) == ("Hm.", [1], "assistant", False)
    assert (here["tool_calls"][0]["sig"], here["tool_calls"][0]["function"]["f"], here["tool_calls"][0]["id"]) == (
        "s",
        1,
        "p",
    )
    elsewhere = as_sent(request(user(), said, result("a")), endpoint=ModelEndpoint(base_url="http://y", model="m"))[
        "messages"
    ][1]
    assert set(elsewhere) == {"role", "content", "tool_calls"}
    assert set(elsewhere["tool_calls"][0]) == {"id", "type", "function"}
    assert elsewhere["tool_calls"][0]["id"] == "a"


@pytest.mark.parametrize(
    ("echo", "with_calls", "without"),
    [
        (Echo.NEVER, None, None),
        (Echo.WITH_CALLS, "Hm.", None),
        (Echo.DEMANDED_WITH_CALLS, "Hm.", None),
        (Echo.DEMANDED, "Hm.", "Ah."),
    ],
)
def test_reasoning_is_echoed_as_the_profile_says(echo: Echo, with_calls: str | None, without: str | None) -> None:
    ours = {"reasoning_field": "reasoning_content", "origin": ENDPOINT.origin}
    history = [
        user(),
        assistant("", call("a"), thinking="Hm.", **ours),
        result("a"),
        assistant("x", thinking="Ah.", **ours),
        user(),
    ]
    messages = as_sent(request(*history), Profile(echo=echo))["messages"]
    assert [messages[1].get("reasoning_content"), messages[3].get("reasoning_content")] == [with_calls, without]


def test_demanded_reasoning_that_nobody_recorded_is_a_blank() -> None:
    messages = as_sent(
        request(user(), assistant("x"), user()), Profile(echo=Echo.DEMANDED, reasoning_field="thinking")
    )["messages"]
    assert messages[1]["thinking"] == " "


def test_calls_are_told_in_words_to_a_model_without_tools() -> None:
    for profile in (Profile(tools=False), Profile(calls_need_tools=True)):
        body = as_sent(
            request(system(), user(), assistant("", call("a", "read", '{"p":1}')), result("a", "R")), profile
        )
        assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "user"]
        assert '[Called read with {"p":1}]' in body["messages"][2]["content"]
        assert body["messages"][3]["content"] == "[Result of read]\nR"


def test_a_server_that_does_not_stream_is_not_asked_for_stream_options() -> None:
    assert not {"stream", "stream_options"} & set(as_sent(request(), Profile(refused=frozenset({"stream"}))))

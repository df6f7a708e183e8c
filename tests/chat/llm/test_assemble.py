from __future__ import annotations

from typing import Any

import pytest

from chat.llm.assemble import Assembler
from chat.llm.types import CallOpened, CallProgress, CallSealed, Response, StreamEvent
from tests.chat.llm.assembly_case import fn


def assemble(*deltas: dict[str, Any]) -> tuple[list[StreamEvent], Response]:
    assembler = Assembler()
    events = [event for delta in deltas for event in assembler.feed({"choices": [{"delta": delta}]})]
    return [*events, *assembler.flush()], assembler.response()


@pytest.mark.parametrize(
    ("deltas", "text"),
    [
        ([{"content": "a"}, {"content": None}, {"content": ""}, {"content": "b"}], "ab"),
        ([{"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}], "ab"),
        ([{"content": {"type": "text", "text": "a"}}], "a"),
        ([{"content": None, "refusal": "I can't."}], "I can't."),
        ([{"content": "x\ud83d"}, {"content": "\ude00y"}], "x😀y"),
        ([{"content": "x\ud83d"}], "x\ufffd"),
        ([{"content": "x\x00y"}], "xy"),
        ([{"content": 17}], ""),
    ],
)
def test_text_of_every_shape_is_put_together(deltas: list[dict[str, Any]], text: str) -> None:
    events, response = assemble(*deltas)
    assert response.text == text == "".join(getattr(event, "text", "") for event in events)


@pytest.mark.parametrize(
    ("deltas", "thinking", "name"),
    [
        ([{"reasoning_content": "a"}, {"reasoning_content": "b"}], "ab", "reasoning_content"),
        ([{"reasoning": "a"}, {"reasoning": None, "content": "x"}], "a", "reasoning"),
        ([{"thinking": "a"}], "a", "thinking"),
        (
            [{"reasoning": "a", "reasoning_content": "a"}, {"reasoning_content": "b", "reasoning": "b"}],
            "ab",
            "reasoning_content",
        ),
        ([{"reasoning": "a"}, {"reasoning_content": "b"}], "ab", "reasoning"),
        ([{"reasoning": {"text": "a"}}], "a", "reasoning"),
        (
            [
                {
                    "content": [
                        {"type": "thinking", "thinking": [{"type": "text", "text": "a"}]},
                        {"type": "text", "text": "x"},
                    ]
                }
            ],
            "a",
            "",
        ),
    ],
)
def test_reasoning_is_kept_under_the_name_first_seen(deltas: list[dict[str, Any]], thinking: str, name: str) -> None:
    _, response = assemble(*deltas)
    assert (response.thinking, response.reasoning_field) == (thinking, name)


def test_unknown_keys_of_messages_and_calls_are_kept_for_the_provider() -> None:
    call = fn("f", "{}", id="a", extra_content={"google": {"thought_signature": "s"}})
    call["function"]["mood"] = "good"
    _, response = assemble(
        {"role": "assistant", "reasoning_details": [{"a": 1}]}, {"reasoning_details": [{"b": 2}], "tool_calls": [call]}
    )
    assert response.extra == {"reasoning_details": [{"a": 1}, {"b": 2}]}
    assert response.calls[0].extra == {
        "extra_content": {"google": {"thought_signature": "s"}},
        "function": {"mood": "good"},
    }


def test_a_call_is_announced_once_its_name_is_known_and_sealed_once_another_opens() -> None:
    events, _ = assemble(
        {"tool_calls": [fn(None, '{"a":', index=0)]},
        {"tool_calls": [fn("f", "1}", index=0, id="a")]},
        {"tool_calls": [fn("g", "", index=1, id="b")]},
        {"tool_calls": [fn(None, "{", index=1)]},
    )
    assert [type(event) for event in events] == [CallOpened, CallProgress, CallSealed, CallOpened, CallProgress]
    assert [event.characters for event in events if isinstance(event, CallProgress)] == [7, 1]
    sealed = next(event.call for event in events if isinstance(event, CallSealed))
    assert (sealed.position, sealed.name, sealed.arguments, sealed.provider_id) == (0, "f", '{"a":1}', "a")


def test_a_call_that_is_not_whole_or_has_no_arguments_yet_is_not_sealed() -> None:
    events, response = assemble(
        {
            "tool_calls": [
                fn("f", '{"a"', index=0, id="a"),
                fn("g", "", index=1, id="b"),
                fn("h", "{}", index=2, id="c"),
            ]
        },
        {"tool_calls": [fn(None, ":1}", index=0)]},
    )
    assert not any(isinstance(event, CallSealed) for event in events)
    assert response.interleaved


def test_more_arguments_for_a_sealed_call_show_a_model_that_interleaves() -> None:
    _, response = assemble(
        {"tool_calls": [fn("f", "{}", index=0, id="a")]},
        {"tool_calls": [fn("g", "{}", index=1, id="b")]},
        {"tool_calls": [fn(None, '{"late":1}', index=0)]},
    )
    assert response.interleaved
    assert response.calls[0].arguments == '{"late":1}'


def test_a_call_without_a_name_is_told_apart_and_never_dropped() -> None:
    _, response = assemble({"tool_calls": [fn(None, '{"a":1}', index=0, id="a")]})
    assert not response.calls[0].complete
    assert response.calls[0].arguments == '{"a":1}'


@pytest.mark.parametrize(
    "chunk",
    [
        {"usage": {"prompt_tokens": 3, "completion_tokens": 4}},
        {"choices": [{"delta": {}, "usage": {"prompt_tokens": 3, "completion_tokens": 4}}]},
        {"x_groq": {"usage": {"prompt_tokens": 3, "completion_tokens": 4}}},
    ],
)
def test_usage_is_found_wherever_it_stands(chunk: dict[str, Any]) -> None:
    assembler = Assembler()
    assembler.feed(chunk)
    assert assembler.response().usage.total == 7


def test_a_full_message_at_the_end_repeats_nothing() -> None:
    assembler = Assembler()
    assembler.feed({"choices": [{"delta": {"content": "hi"}}]})
    assembler.feed({"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]})
    assembler.feed({"choices": [{"delta": {}, "message": {"content": "hi"}}]})
    assert assembler.response().text == "hi"


def test_what_was_lost_in_scrubbing_is_counted() -> None:
    _, response = assemble({"content": "a\x00\ud83d", "tool_calls": [fn("f", '{"x":"\ude00"}', id="a")]})
    assert response.scrubbed == 3


def test_a_finish_reason_is_kept_short_and_the_last_one_counts() -> None:
    assembler = Assembler()
    for reason in ("", None, "x" * 500, None, 7):
        assembler.feed({"choices": [{"delta": {}, "finish_reason": reason}]})
    assert assembler.response().finish_reason == "x" * 40


def test_names_and_reasons_hold_nothing_that_no_database_takes() -> None:
    assembler = Assembler()
    assembler.feed({"id": "i\x00", "model": "m\ud83d", "choices": [{"delta": {}, "finish_reason": "st\x00op"}]})
    response = assembler.response()
    assert (response.response_id, response.model, response.finish_reason) == ("i", "m\ufffd", "stop")


def test_a_response_becomes_a_message_under_our_own_ids() -> None:
    _, response = assemble({"content": "hm", "reasoning": "r", "tool_calls": [fn("f", "{}", id="p1")], "sig": 1})
    message = response.as_message(["own"], origin="here")
    assert (message.calls[0].id, message.calls[0].provider_id) == ("own", "p1")
    assert (message.content, message.thinking, message.reasoning_field, message.extra) == (
        "hm",
        "r",
        "reasoning",
        {"sig": 1},
    )
    assert message.origin == "here"

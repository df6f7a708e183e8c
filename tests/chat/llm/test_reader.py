from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.llm import errors
from chat.llm.reader import ResponseReader
from chat.llm.types import Response, TextDelta, ThinkingDelta
from chat.llm.usage import Usage
from tests.fakes.llm import body_of, final, read
from tests.fakes.model_script import (
    answer,
    chunk,
    completion,
    delta,
    done,
    fault,
    finish,
    frame,
    keepalive,
    reply,
    text,
    thinking,
    tool_call,
    usage,
)

RICH = body_of(
    reply(
        keepalive(),
        delta(role="assistant", content=""),
        thinking("Let me sée 😀."),
        text("Grüße, 世界!"),
        tool_call("f", {"é": "😀", "n": [1, 2]}, id="a"),
        tool_call("g", {"b": 2}, id="b", index=1, dialect="cumulative"),
        finish("tool_calls"),
        usage(100, 7),
        done(),
    )
)


@given(st.lists(st.integers(1, len(RICH) - 1), max_size=30))
def test_any_split_of_the_bytes_gives_the_same_events(cuts: list[int]) -> None:
    places = sorted({0, len(RICH), *cuts})
    pieces = [RICH[start:end] for start, end in pairwise(places)]
    assert read(pieces) == read([RICH])


def test_a_response_holds_what_its_deltas_told() -> None:
    events = read([RICH])
    response = final(events)
    assert response.text == "Grüße, 世界!" == "".join(event.text for event in events if isinstance(event, TextDelta))
    assert response.thinking == "Let me sée 😀."
    assert response.thinking == "".join(event.text for event in events if isinstance(event, ThinkingDelta))
    assert response.reasoning_field == "reasoning_content"
    assert response.usage.total == 107
    assert (response.response_id, response.model) == ("chatcmpl-1", "test-model")


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_every_line_end_reads_alike(ends: str) -> None:
    body = frame({"choices": [{"delta": {"content": "hi"}}]}, ends=ends) + frame("[DONE]", ends=ends)
    assert final(read([body])).text == "hi"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(body_of(reply(text("hi"), finish())), id="finish_reason and no DONE"),
        pytest.param(body_of(reply(text("hi"), done())), id="DONE and no finish_reason"),
        pytest.param(body_of(reply(text("hi"), finish())) + b"data: [DONE]", id="no final blank line"),
        pytest.param(body_of(reply(text("hi"))) + b'data: "[DONE]"\n\n', id="DONE as JSON"),
        pytest.param(body_of(reply(text("hi"))) + b"data: [done]\n\n", id="DONE in small letters"),
        pytest.param(body_of(reply(text("hi"), done())) + b"data: {broken\n\n", id="what follows DONE is not read"),
        pytest.param(body_of(reply(text("hi"), finish())) + b'data: {"usa', id="cut behind the finish"),
        pytest.param(
            b'data: {"choices":[{"delta":{"content":"h"}}]}\n'
            b'data: {"choices":[{"delta":{"content":"i"}}]}\ndata: [DONE]\n',
            id="no blank lines between events",
        ),
        pytest.param(b"\n\n" + body_of(answer("hi")), id="blank lines first"),
        pytest.param(b": hello\n\nevent: ping\ndata: {}\n\n" + body_of(answer("hi")), id="pings"),
        pytest.param(b"event: heartbeat\ndata: still here\n\n" + body_of(answer("hi")), id="heartbeats in words"),
        pytest.param(b"data: null\n\n" + body_of(answer("hi")), id="a null event"),
        pytest.param(b"\xef\xbb\xbf" + body_of(answer("hi")), id="a byte order mark"),
    ],
)
def test_an_answer_with_any_sign_of_its_end_is_whole(body: bytes) -> None:
    assert final(read([body])).text == "hi"
    assert final(read([body[place : place + 1] for place in range(len(body))])).text == "hi"


@pytest.mark.parametrize(
    ("body", "kind", "reason"),
    [
        pytest.param(body_of(fault("eof_early", text("Hel"))), errors.StreamBrokenError, "", id="no end"),
        pytest.param(
            body_of(fault("eof_early", tool_call("f", {"path": "x"})))[:-30],
            errors.StreamBrokenError,
            "",
            id="in a call",
        ),
        pytest.param(b": x\n\n" * 5, errors.NotAStreamError, "", id="keep-alives only"),
        pytest.param(b"", errors.NotAStreamError, "", id="nothing"),
        pytest.param(b"Bad gateway", errors.NotAStreamError, "", id="plain text"),
        pytest.param(b"  <html><body>Sign in", errors.NotAStreamError, "", id="a web page"),
        pytest.param(b'{"status":"ok"}', errors.NotAStreamError, "", id="other JSON"),
        pytest.param(b'{"choices":[]}', errors.NotAStreamError, "", id="a completion without choices"),
        pytest.param(b'{"choices":[{"mess', errors.NotAStreamError, "", id="cut JSON"),
        pytest.param(b'{"a":1}\n{"a":2}\n', errors.NotAStreamError, "", id="JSON lines"),
        pytest.param(b"data: {oops}\n\n", errors.StreamBrokenError, "provider_bad_frame", id="a broken event"),
        pytest.param(b"data: 17\n\n", errors.StreamBrokenError, "provider_bad_frame", id="an event that is no object"),
        pytest.param(
            b"data: " + b"[" * 100_000 + b"\n\n", errors.StreamBrokenError, "provider_bad_frame", id="too deep"
        ),
        pytest.param(body_of(reply(finish("tool_calls"))), errors.EmptyReplyError, "", id="tool_calls without calls"),
        pytest.param(body_of(reply(finish(), done())), errors.EmptyReplyError, "", id="nothing said"),
        pytest.param(body_of(reply(text("  "), finish())), errors.EmptyReplyError, "", id="blanks said"),
        pytest.param(body_of(reply(finish("length"))), errors.EmptyReplyError, "", id="no room to say anything"),
        pytest.param(body_of(reply(finish("content_filter"))), errors.ContentFilteredError, "", id="filtered"),
    ],
)
def test_anything_else_is_an_error_and_no_response(body: bytes, kind: type[errors.ProviderError], reason: str) -> None:
    with pytest.raises(kind) as caught:
        read([body], content_type="text/x-test", request_id="req_7")
    assert caught.value.reason == (reason or kind.default_reason)
    assert caught.value.request_id == "req_7"


def test_what_is_no_stream_is_named_with_its_content_type_and_request_id() -> None:
    with pytest.raises(errors.NotAStreamError, match=r"text/html and no completion \(request id: req_7\).*Sign in"):
        read([b"<html><title>Sign in</title>"], content_type="text/html", request_id="req_7")


@pytest.mark.parametrize(
    ("event", "kind", "words"),
    [
        (frame({"error": {"message": "quota", "code": 429}}), errors.RateLimitedError, "quota"),
        (frame({"error": {"message": "no credit", "code": "insufficient_quota"}}), errors.QuotaError, "no credit"),
        (frame({"error": "boom"}), errors.OverloadedError, "boom"),
        (frame({"error": {"message": "overloaded", "code": 529}, "choices": []}), errors.OverloadedError, "overloaded"),
        (
            chunk(choices=[{"delta": {}, "finish_reason": "error", "error": {"message": "died", "code": 502}}]),
            errors.OverloadedError,
            "died",
        ),
        (chunk(choices=[{"delta": {"content": ""}, "finish_reason": "error"}]), errors.OverloadedError, "error"),
        (frame({"message": "x"}, event="error"), errors.OverloadedError, "x"),
        (frame("upstream timed out", event="error"), errors.OverloadedError, "upstream timed out"),
        (
            frame({"object": "error", "message": "too long: maximum context length", "code": 400}),
            errors.ContextTooLongError,
            "too long",
        ),
        (
            frame({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}),
            errors.OverloadedError,
            "busy",
        ),
        (frame({"code": "InvalidApiKey", "message": "Invalid API key"}), errors.BadKeyError, "Invalid API key"),
        (
            frame([{"error": {"code": 429, "message": "slow down", "status": "RESOURCE_EXHAUSTED"}}]),
            errors.RateLimitedError,
            "slow",
        ),
        (frame({"detail": "engine is dead"}, event="error"), errors.OverloadedError, "engine is dead"),
    ],
)
@pytest.mark.parametrize("shown", [b"", b"".join(step for step in text("Hello ") if isinstance(step, bytes))])
def test_an_error_inside_a_stream_is_typed_by_its_inner_code(
    event: bytes, kind: type[errors.ProviderError], words: str, shown: bytes
) -> None:
    with pytest.raises(kind, match=words) as caught:
        read([shown + event + body_of(reply(finish(), done()))])
    assert type(caught.value) is kind
    assert words in caught.value.words


def test_an_error_that_is_null_is_none() -> None:
    event = chunk(error=None, choices=[{"delta": {"content": "hi"}, "error": None}])
    assert final(read([event, body_of(reply(finish()))])).text == "hi"


@pytest.mark.parametrize(
    "error", [{"error": {"message": "no", "code": 401}}, [{"error": {"message": "no", "code": 401}}]]
)
def test_a_json_error_with_status_200_is_the_error_that_it_says(error: object) -> None:
    with pytest.raises(errors.BadKeyError):
        read([json.dumps(error).encode()])


def test_a_completion_that_is_not_streamed_is_a_response_all_the_same() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    response = final(read([body_of(completion("Hello", tool_calls=[call], reason="tool_calls"))]))
    assert (response.text, response.calls[0].name, response.usage.input_tokens) == ("Hello", "f", 10)


def test_an_answer_without_bounds_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chat.llm.reader.MAX_ANSWER_BYTES", 1000)
    with pytest.raises(errors.StreamBrokenError, match="larger than") as caught:
        read([b": keep-alive keep-alive\n"] * 100)
    assert not caught.value.retryable


def test_usage_is_estimated_and_marked_where_nobody_reports_it() -> None:
    body = body_of(reply(text("x" * 40), finish()))
    assert final(read([body], sent=b"y" * 400)).usage == Usage(100, 10, estimated=True)


def test_secrets_in_what_came_back_are_not_told_further() -> None:
    with pytest.raises(errors.NotAStreamError) as caught:
        read([b"<html>Bearer key-12345678 is unknown"], secrets=["key-12345678"])
    assert "12345678" not in f"{caught.value} {caught.value.details}"


@pytest.mark.parametrize("reason", ["stop", "tool_calls", "length"])
def test_thinking_alone_is_a_response_that_says_it_is_empty(reason: str) -> None:
    response = final(read([body_of(reply(thinking("Hm."), finish(reason)))]))
    assert isinstance(response, Response)
    assert response.empty


@pytest.mark.parametrize(
    "silence",
    [b": ping\n\n", chunk(choices=[]), delta(role="assistant", content=""), delta(content=None), *usage(), b"\n"],
)
def test_keep_alives_empty_chunks_and_usage_are_not_taken_for_content(silence: bytes) -> None:
    reader = ResponseReader()
    assert reader.feed(silence) == []
    assert not reader.finished

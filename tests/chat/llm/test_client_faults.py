from __future__ import annotations

import pytest

from chat.llm import errors
from chat.llm.clocks import Clocks
from chat.llm.retry import RetryPolicy
from chat.llm.types import Retrying
from tests.fakes.flags import Gate
from tests.fakes.llm import Naps, collect, model_of, request, respond
from tests.fakes.model_script import (
    Reply,
    answer,
    done,
    fault,
    finish,
    reply,
    status,
    text,
    tool_call,
)
from tests.fakes.model_server import ModelServer

ONCE = RetryPolicy(attempts=1)
QUICK = Clocks(connect=5.0, first_content=0.2, between_content=0.2, whole=30.0, after_finish=0.2, after_end=0.1)


FAULTS = [
    ("html_200", errors.NotAStreamError, False),
    ("json_200", errors.NotAStreamError, False),
    ("error_object", errors.RateLimitedError, True),
    ("error_choice", errors.OverloadedError, True),
    ("error_event", errors.OverloadedError, True),
    ("broken_frame", errors.StreamBrokenError, True),
    ("eof_cut", errors.StreamBrokenError, True),
    ("reset", errors.StreamBrokenError, True),
]


@pytest.mark.parametrize(("name", "kind", "repeated"), FAULTS)
async def test_a_stream_that_goes_wrong_is_repeated_only_when_that_may_help(
    name: str, kind: type[errors.ProviderError], repeated: bool
) -> None:
    async with ModelServer() as server, model_of(server) as model:
        server.script(fault(name), answer("Hello."))
        if repeated:
            events, response = await collect(model)
            assert [event.reason for event in events if isinstance(event, Retrying)]
            assert response.text == "Hello."
        else:
            with pytest.raises(kind):
                await respond(model)
        assert len(server.requests) == 1 + repeated


@pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name, kind, _ in FAULTS[2:]] + [("eof_early", errors.StreamBrokenError)]
)
@pytest.mark.parametrize("shown", [text("Hel"), tool_call("write", {"path": "x"})])
async def test_a_stream_that_goes_wrong_after_something_was_shown_is_not_repeated(
    name: str, kind: type[errors.ProviderError], shown: list[bytes]
) -> None:
    async with ModelServer() as server, model_of(server) as model:
        server.script(fault(name, shown), answer("Hello."))
        with pytest.raises(kind):
            await respond(model)
        assert len(server.requests) == 1


@pytest.mark.parametrize("code", [408, 409, 429, 500, 502, 503, 529])
async def test_passing_failures_are_repeated_as_the_provider_asks(code: int) -> None:
    naps = Naps()
    retries = RetryPolicy(sleep=naps, chance=lambda: 0.0)
    async with ModelServer() as server, model_of(server, retries=retries) as model:
        server.script(status(code, retry_after="7"), status(code, retry_after_ms="250"), status(code), answer("Hello."))
        assert (await respond(model)).text == "Hello."
    assert naps.taken == [7.0, 0.25, 2.0]


@pytest.mark.parametrize(
    "reply_",
    [status(401), status(404), status(400), status(429, retry_after="3600"), status(503, x_should_retry="false")],
)
async def test_lasting_failures_are_not_repeated(reply_: Reply) -> None:
    async with ModelServer() as server, model_of(server) as model:
        server.script(reply_)
        with pytest.raises(errors.ProviderError):
            await respond(model)
        assert len(server.requests) == 1


async def test_an_empty_reply_is_asked_again_once() -> None:
    async with ModelServer() as server, model_of(server) as model:
        server.script(reply(finish("tool_calls"), done()), answer("Hello."))
        assert (await respond(model)).text == "Hello."
        server.script(reply(finish(), done()), reply(finish(), done()), answer("too late"))
        with pytest.raises(errors.EmptyReplyError):
            await respond(model)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (fault("silence"), "provider_no_answer"),
        (fault("keepalive_only"), "provider_no_answer"),
        (reply(before_headers=Gate()), "provider_no_answer"),
        (fault("silence", text("Hel")), "provider_silent"),
        (fault("keepalive_only", text("Hel")), "provider_silent"),
    ],
)
async def test_silence_and_keep_alives_run_out_of_time(script: Reply, reason: str) -> None:
    async with ModelServer() as server, model_of(server, clocks=QUICK, retries=ONCE) as model:
        server.script(script)
        with pytest.raises(errors.ProviderTimeoutError) as caught:
            await respond(model)
        assert caught.value.reason == reason
        await server.requests[0].disconnected.waited()


async def test_the_whole_clock_ends_a_stream_that_never_pauses() -> None:
    async def trickle() -> None:
        async for _ in model.stream(request()):
            pass

    clocks = Clocks(whole=0.3)
    words = [text("word ")] * 200_000
    async with ModelServer() as server, model_of(server, clocks=clocks) as model:
        server.script(reply(*words))
        with pytest.raises(errors.ProviderTimeoutError) as caught:
            await trickle()
    assert (caught.value.reason, caught.value.retryable) == ("provider_timeout", False)

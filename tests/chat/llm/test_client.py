from __future__ import annotations

import asyncio
import gzip

import pytest

from chat.llm.clocks import Clocks
from chat.llm.retry import RetryPolicy
from chat.llm.types import TextDelta
from tests.fakes.flags import Gate
from tests.fakes.llm import body_of, final, model_of, read, request, respond, tool
from tests.fakes.model_script import (
    Reply,
    answer,
    calls,
    completion,
    done,
    fault,
    finish,
    keepalive,
    reply,
    status,
    text,
    tool_call,
)
from tests.fakes.model_server import ModelServer

ONCE = RetryPolicy(attempts=1)
QUICK = Clocks(connect=5.0, first_content=0.2, between_content=0.2, whole=30.0, after_finish=0.2, after_end=0.1)


async def test_the_response_is_the_one_that_was_read_without_a_network() -> None:
    told = calls(keepalive(), text("Hm, "), tool_call("fetch", {"url": "http://x"}), tool_call("f", id="b", index=1))
    async with ModelServer() as server, model_of(server) as model:
        server.script(told)
        response = await respond(model)
    plain = final(read([body_of(told)]))
    assert (response.text, response.calls, response.usage) == (plain.text, plain.calls, plain.usage)
    assert response.request_id == "req_test"


async def test_text_is_told_as_it_arrives() -> None:
    gate = Gate()
    async with ModelServer() as server, model_of(server) as model:
        server.script(reply(text("first"), gate, text(" second"), finish(), done()))
        stream = model.stream(request())
        assert await anext(stream) == TextDelta("first")
        await gate.reached.waited()
        gate.open()
        assert await anext(stream) == TextDelta(" second")
        await stream.aclose()


async def test_requests_share_a_connection() -> None:
    async with ModelServer() as server, model_of(server) as model:
        server.script(answer(), answer(), status(503), answer())
        for _ in range(3):
            await respond(model)
        assert (len(server.requests), server.connections) == (4, 1)


async def test_aliases_of_tools_come_back_as_our_own_names() -> None:
    async with ModelServer() as server, model_of(server) as model:
        server.script(calls(tool_call("a_b_c", {"url": "x"})))
        response = await respond(model, request(tools=[tool("a.b c")]))
    assert response.calls[0].name == "a.b c"


async def test_a_compressed_stream_is_read() -> None:
    packed = gzip.compress(body_of(answer("Hello there.")))
    async with ModelServer() as server, model_of(server) as model:
        server.script(Reply(steps=[packed], headers={"content-encoding": "gzip"}))
        assert (await respond(model)).text == "Hello there."


async def test_a_body_that_ends_with_its_connection_is_read() -> None:
    async with ModelServer() as server, model_of(server) as model:
        server.script(Reply(steps=answer("Hello there.").steps, framing="close"))
        assert (await respond(model)).text == "Hello there."


async def test_a_whole_completion_in_answer_to_a_stream_is_taken() -> None:
    async with ModelServer() as server, model_of(server) as model:
        server.script(completion("Hello."))
        assert (await respond(model)).text == "Hello."


@pytest.mark.parametrize("last", [finish(), [*finish(), *done()]])
async def test_a_server_that_keeps_the_stream_open_behind_its_end_is_not_waited_for(last: list[bytes]) -> None:
    async with ModelServer() as server, model_of(server, clocks=QUICK) as model:
        server.script(reply(text("hi"), last, fault("silence").steps))
        assert (await respond(model)).text == "hi"


async def test_a_reset_behind_the_end_loses_nothing() -> None:
    async with ModelServer() as server, model_of(server) as model:
        server.script(reply(text("hi"), finish(), fault("reset").steps))
        assert (await respond(model)).text == "hi"


async def test_cancelling_the_reader_ends_the_providers_work_at_once() -> None:
    gate = Gate()
    async with ModelServer() as server, model_of(server) as model:
        server.script(reply(text("Hel"), gate, text("lo")))
        reader = asyncio.create_task(respond(model))
        await gate.reached.waited()
        reader.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reader
        await server.requests[0].disconnected.waited(1.0)


async def test_cancelling_before_the_headers_ends_the_providers_work_at_once() -> None:
    gate = Gate()
    async with ModelServer() as server, model_of(server) as model:
        server.script(reply(text("Hello"), before_headers=gate))
        reader = asyncio.create_task(respond(model))
        await gate.reached.waited()
        reader.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reader
        await server.requests[0].disconnected.waited(1.0)


async def test_closing_the_stream_ends_the_providers_work_and_the_next_request_goes_through() -> None:
    async with ModelServer() as server, model_of(server) as model:
        server.script(fault("silence", text("Hel")), answer("Hello."))
        stream = model.stream(request())
        assert await anext(stream) == TextDelta("Hel")
        await stream.aclose()
        await server.requests[0].disconnected.waited(1.0)
        assert (await respond(model)).text == "Hello."

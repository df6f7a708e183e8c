"""Whatever goes wrong, a turn ends: with a code, a sentence, and what was shown of the answer."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User

from chat.database import in_database
from chat.models import ChatModel, Conversation, Message, Step, Turn
from chat.services import steps
from tests.fakes.chat import Chat, Socket, chat_of, model_at
from tests.fakes.model_script import (
    Act,
    answer,
    calls,
    delta,
    done,
    fault,
    finish,
    reply,
    status,
    text,
    tool_call,
    usage,
)
from tests.fakes.model_server import ModelServer

pytestmark = pytest.mark.django_db(transaction=True)


async def ask(chat: Chat, words: str = "Hi", **switches: bool) -> Socket:
    seen = await Conversation.objects.aget(pk=chat.conversation.pk)
    async with chat.socket(after=seen.last_seq) as socket:
        await socket.send(words, **switches)
        await socket.finished()
        return socket


async def test_a_refused_key_is_told_with_its_code(chat: Chat, server: ModelServer) -> None:
    server.script(status(401))
    socket = await ask(chat)
    assert [event["code"] for event in socket.of("error")] == ["provider_bad_key"]
    assert socket.events[-1]["reason"] == "failed"
    assert socket.events[-1]["message"] is None
    turn = await Turn.objects.aget()
    assert (turn.state, turn.error_code) == ("finished", "provider_bad_key")
    assert turn.error_message


async def test_a_stream_that_breaks_keeps_what_was_shown(chat: Chat, server: ModelServer) -> None:
    server.script(fault("eof_early", text("Half of it")), answer("Whole."))
    socket = await ask(chat)
    assert socket.of("error")[0]["code"] == "provider_stream_broken"
    kept = await Message.objects.aget(role="assistant")
    assert (kept.content, kept.interrupted) == ("Half of it", True)
    again = await ask(chat, "And?")
    assert again.events[-1]["reason"] == "completed"


async def test_what_no_database_takes_harms_no_turn(chat: Chat, server: ModelServer) -> None:
    odd = delta(content="Fine.", mood=float("nan"), sign="\ud83d\x00", deep={"k\x00": [float("inf")]})
    server.script(reply([odd], finish("st\x00op"), usage(), done()), answer("Still here."))
    assert (await ask(chat)).events[-1]["reason"] == "completed"
    kept = await Message.objects.aget(role="assistant")
    assert (kept.content, kept.extra["sign"]) == ("Fine.", "\ufffd")
    assert (await ask(chat, "And?")).events[-1]["reason"] == "completed"


async def test_the_words_of_a_failure_are_stored_whatever_they_hold(chat: Chat, server: ModelServer) -> None:
    server.script(status(400, {"error": {"message": "no\x00thing \ud83d"}}))
    socket = await ask(chat)
    assert socket.events[-1]["reason"] == "failed"
    assert "nothing \ufffd" in (await Turn.objects.aget()).error_message


async def test_what_fails_before_anything_is_shown_is_tried_again_and_told(chat: Chat, server: ModelServer) -> None:
    server.script(status(429, retry_after="0"), answer("Now."))
    socket = await ask(chat)
    assert [event["attempt"] for event in socket.of("step_started")] == [1, 2]
    assert socket.of("notification")[0]["details"]["code"] == "retrying"
    assert socket.text() == "Now."
    assert (await Step.objects.aget()).attempt == 2


async def test_a_silent_model_runs_into_its_clock(chat: Chat, server: ModelServer, settings: Any) -> None:
    settings.CHAT = {**settings.CHAT, "BETWEEN_CONTENT_SECONDS": 0.3}
    server.script(reply(text("Well"), [Act.KEEPALIVES]))
    socket = await ask(chat)
    assert socket.of("error")[0]["code"] == "provider_silent"
    assert (await Message.objects.aget(role="assistant")).content == "Well"


async def test_the_whole_turn_has_a_clock(chat: Chat, server: ModelServer, settings: Any) -> None:
    settings.CHAT = {**settings.CHAT, "TURN_SECONDS": 0.5}
    server.script(reply(text("Well"), [Act.SILENCE]))
    socket = await ask(chat)
    assert socket.events[-1]["reason"] == "timeout"
    assert socket.of("error")[0]["code"] == "turn_timeout"


async def test_the_clock_stands_still_while_a_person_is_awaited(
    chat: Chat, server: ModelServer, settings: Any, tools: None
) -> None:
    limit = 6.0  # long enough for a busy machine to come to the question
    settings.CHAT = {**settings.CHAT, "TURN_SECONDS": limit}
    server.script(calls(tool_call("curious")), answer("Thanks."))
    async with chat.socket() as socket:
        await socket.send("Ask", tools=True)
        asked = await socket.until("question")
        [running] = chat.process.runner.running
        before = running.clock.spent
        assert running.clock.waiting
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(running.clock.run_out(), limit + 0.2)
        assert running.clock.spent == before
        await socket.frame(type="answer", request=asked["id"], text="x")
        assert (await socket.finished())["reason"] == "completed"


async def test_a_bug_ends_the_turn_with_a_vague_sentence(
    chat: Chat, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr(steps, "add_usage", broken)
    server.script(answer("Never stored."), answer("Works."))
    socket = await ask(chat)
    error = socket.of("error")[0]
    assert error["code"] == "internal_error"
    assert "secret" not in error["message"]
    monkeypatch.undo()
    assert (await ask(chat, "Again")).events[-1]["reason"] == "completed"


async def test_a_missing_key_is_named(person: User, server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOWHERE_API_KEY", raising=False)
    model = await in_database(model_at, server.base_url, key_variable="NOWHERE_API_KEY")
    async with chat_of(person, model) as chat:
        socket = await ask(chat)
        error = socket.of("error")[0]
        assert (error["code"], "NOWHERE_API_KEY" in error["message"]) == ("no_key", True)
        monkeypatch.setenv("NOWHERE_API_KEY", "sk-1")
        server.script(answer("Yes."))
        assert (await ask(chat, "Again")).text() == "Yes."
    assert server.requests[0].headers["authorization"] == "Bearer sk-1"


async def test_the_daily_limit_refuses_messages_and_ends_turns(
    chat: Chat, server: ModelServer, settings: Any, tools: None
) -> None:
    settings.CHAT = {**settings.CHAT, "DAILY_TOKENS": 15}
    server.script(calls(tool_call("echo", {"text": "x"})))
    socket = await ask(chat, tools=True)
    assert socket.events[-1]["reason"] == "budget"
    assert socket.of("error")[0]["code"] == "daily_limit"
    async with chat.socket(after=None) as other:
        client_id = await other.send("More")
        refused = await other.until("error")
    assert (refused["code"], refused["client_id"]) == ("daily_limit", client_id)
    assert await Turn.objects.acount() == 1


async def test_tokens_and_cost_are_counted_once(person: User, server: ModelServer) -> None:
    model = await in_database(model_at, server.base_url, input_price=Decimal(2), output_price=Decimal(10))
    server.script(reply(text("A b"), usage(10, 1), usage(100, 20), usage(1000, 200), [b"data: [DONE]\n\n"]))
    async with chat_of(person, model) as chat:
        socket = await ask(chat)
    told = socket.of("usage")[-1]
    assert (told["input_tokens"], told["output_tokens"], told["estimated"]) == (1000, 200, False)
    assert Decimal(told["cost"]) == Decimal("0.004")
    assert (await Step.objects.aget()).cost == Decimal("0.004")


async def test_what_a_refusal_teaches_is_kept_with_the_model(person: User) -> None:
    async with ModelServer() as server:
        refusal = {
            "error": {"message": "Unknown parameter", "code": "unsupported_parameter", "param": "stream_options"}
        }
        server.script(status(400, refusal), answer("Fine."), answer("Again."))
        model = await in_database(model_at, server.base_url)
        async with chat_of(person, model) as chat:
            await ask(chat)
            await ask(chat, "Again")
    assert [("stream_options" in body) for body in server.bodies] == [True, False, False]
    assert (await ChatModel.objects.aget(pk=model.pk)).profile == {"refused": ["stream_options"]}

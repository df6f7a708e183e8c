"""A turn from the person's message to the answer, over a real socket and against a scripted server."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from agent_tools.models import AgentToolLog
from chat.database import in_database
from chat.models import Conversation, Message, Step, Turn
from tests.fakes.chat import chat_of, model_at, told
from tests.fakes.model_script import answer, calls, tool_call
from tests.fakes.model_server import ModelServer
from tests.fakes.strict_provider import Strict

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_message_is_answered_stored_and_followed(person: User) -> None:
    async with ModelServer() as server:
        server.script(answer("Hello there, person."))
        model = await in_database(model_at, server.base_url)
        async with chat_of(person, model) as chat, chat.socket() as socket:
            await socket.send("Hi!")
            finished = await socket.finished()
    assert socket.types[:3] == ["message_added", "turn_started", "step_started"]
    assert socket.text() == "Hello there, person."
    assert finished["reason"] == "completed"
    rows = [row async for row in Message.objects.order_by("id")]
    assert [(row.role, row.content) for row in rows] == [("user", "Hi!"), ("assistant", "Hello there, person.")]
    assert rows[1].parent_id == rows[0].pk
    assert finished["message"] == rows[1].pk
    conversation = await Conversation.objects.aget()
    assert (conversation.title, conversation.leaf_id) == ("Hi!", rows[1].pk)
    step = await Step.objects.aget()
    assert (step.input_tokens, step.output_tokens, step.estimated) == (10, 5, False)
    turn = await Turn.objects.aget()
    assert (turn.state, turn.reason, turn.runner) == ("finished", "completed", "")


async def test_with_the_tools_off_the_model_hears_of_none_and_what_it_calls_all_the_same_is_not_run(
    person: User, tools: None
) -> None:
    async with ModelServer() as server:
        server.script(calls(tool_call("echo", {"text": "x"})), answer("In words, then."))
        model = await in_database(model_at, server.base_url)
        async with chat_of(person, model) as chat, chat.socket() as socket:
            await socket.send("Hi!")
            assert (await socket.finished())["reason"] == "completed"
    assert not [key for body in server.bodies for key in ("tools", "tool_choice") if key in body]
    assert [event["is_error"] for event in socket.of("tool_result")] == [True]
    assert await AgentToolLog.objects.filter(status="success").acount() == 0


async def test_calls_are_run_and_their_results_go_back_to_the_model(person: User, tools: None) -> None:
    async with ModelServer(strict=Strict()) as server:
        server.script(calls(tool_call("echo", {"text": "one"}), tool_call("echo", {"text": "two"}, id="b", index=1)))
        server.script(answer("Both said it."))
        model = await in_database(model_at, server.base_url)
        async with chat_of(person, model) as chat, chat.socket() as socket:
            await socket.send("Echo twice.", tools=True)
            await socket.finished()
    assert not server.refused
    messages = told(server, 1)
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool"]
    assert [message["content"] for message in messages[2:]] == ["one", "two"]
    assert [event["name"] for event in socket.of("tool_call")] == ["echo", "echo"]
    assert [event["output"] for event in socket.of("tool_result")] == ["one", "two"]
    assert socket.text() == "Both said it."
    rows = [row async for row in Message.objects.order_by("id")]
    assert [row.role for row in rows] == ["user", "assistant", "tool", "tool", "assistant"]
    assert [row.parent_id for row in rows[1:]] == [row.pk for row in rows[:-1]]
    assert [str(row.call_id) for row in rows[2:4]] == [call["id"] for call in rows[1].calls]
    assert await AgentToolLog.objects.filter(status="success").acount() == 2


async def test_the_sixth_request_forbids_calls_and_what_it_still_calls_is_not_run(person: User, tools: None) -> None:
    async with ModelServer(strict=Strict()) as server:
        for number in range(6):
            server.script(calls(tool_call("echo", {"text": str(number)}, id=f"c{number}")))
        model = await in_database(model_at, server.base_url)
        async with chat_of(person, model) as chat, chat.socket() as socket:
            await socket.send("Never stop.", tools=True)
            finished = await socket.finished()
    assert finished["reason"] == "step_limit"
    assert not server.refused
    assert [body.get("tool_choice") for body in server.bodies] == [None] * 5 + ["none"]
    assert server.bodies[5]["tools"] == server.bodies[0]["tools"]
    assert "limit of 5 rounds" in told(server, 5)[-1]["content"]
    last = await Message.objects.order_by("id").alast()
    assert last is not None
    assert last.role == "assistant"
    assert last.content
    assert finished["message"] == last.pk
    assert await AgentToolLog.objects.filter(status="success").acount() == 5
    assert await AgentToolLog.objects.filter(reason="step_limit").acount() == 1
    assert "limit of 5 rounds" in socket.of("tool_result")[-1]["output"]

"""Questions and permissions: asked once, answered once, for exactly the arguments that were shown."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from agent_tools.models import Grant
from chat.models import Message, Request
from tests.fakes.chat import Chat, Socket, chat_of
from tests.fakes.model_script import answer, calls, tool_call
from tests.fakes.model_server import ModelServer

pytestmark = pytest.mark.django_db(transaction=True)
ASKS = {"verdict": "ask", "path": "a.txt"}


async def asked(socket: Socket, words: str = "Do it", kind: str = "permission_request") -> dict[str, Any]:
    await socket.send(words, tools=True)
    return await socket.until(kind)


def decision(event: dict[str, Any], said: str = "allow_once", **fields: Any) -> dict[str, Any]:
    about = {"request": event["id"], "arguments_hash": event["arguments_hash"]}
    return {"type": "decide", **about, "decision": said, **fields}


async def test_a_permitted_call_runs_and_a_refused_one_tells_the_reason(
    chat: Chat, server: ModelServer, tools: None
) -> None:
    server.script(calls(tool_call("strict", ASKS)), answer("Ran."), calls(tool_call("strict", ASKS)), answer("No."))
    async with chat.socket() as socket:
        event = await asked(socket)
        assert event["arguments"] == ASKS
        await socket.frame(**decision(event))
        resolved = await socket.until("resolved")
        assert (resolved["id"], resolved["state"], resolved["decision"]) == (event["id"], "answered", "allow_once")
        await socket.finished()
        await socket.frame(**decision(await asked(socket), "deny", reason="not today"))
        await socket.finished()
    results = socket.of("tool_result")
    assert results[0]["output"] == "ran a.txt"
    assert "not today" in results[1]["output"]
    assert results[1]["metadata"]["status"] == "denied"


async def test_always_is_remembered_for_the_conversation(chat: Chat, server: ModelServer, tools: None) -> None:
    server.script(calls(tool_call("strict", ASKS)), answer("One."), calls(tool_call("strict", ASKS)), answer("Two."))
    async with chat.socket() as socket:
        await socket.frame(**decision(await asked(socket), "allow_always"))
        await socket.finished()
        await socket.send("Again", tools=True)
        await socket.finished()
    assert len(socket.of("permission_request")) == 1
    grant = await Grant.objects.aget()
    assert (grant.session_id, grant.tool_slug) == (chat.conversation.pk, "strict")


async def test_of_two_tabs_the_first_answer_counts(chat: Chat, server: ModelServer, tools: None) -> None:
    server.script(calls(tool_call("strict", ASKS)), answer("Fine."))
    async with chat.socket() as one, chat.socket() as two:
        event = await asked(one)
        await two.until("permission_request")
        await one.frame(**decision(event))
        await one.until("resolved")
        await two.frame(**decision(event, "deny"))
        error = await two.until("error")
        assert error["code"] == "already_answered"
        await one.finished()
        await two.finished()
    assert one.events == two.events
    assert await Request.objects.filter(state="answered").acount() == 1


async def test_a_decision_for_other_arguments_does_not_count(chat: Chat, server: ModelServer, tools: None) -> None:
    server.script(calls(tool_call("strict", ASKS)), answer("Fine."))
    async with chat.socket() as socket:
        event = await asked(socket)
        await socket.frame(**{**decision(event), "arguments_hash": "0" * 64})
        assert (await socket.until("error"))["code"] == "arguments_changed"
        await socket.frame(**{**decision(event), "request": uuid.uuid4()})
        assert (await socket.until("error"))["code"] == "unknown_request"
        await socket.frame(type="answer", request=event["id"], text="yes")
        assert (await socket.until("error"))["code"] == "unknown_request"
        assert (await Request.objects.aget()).state == "pending"
        await socket.frame(**decision(event))
        await socket.finished()


async def test_nobody_answers_for_somebody_else(chat: Chat, server: ModelServer, tools: None, operator: User) -> None:
    server.script(calls(tool_call("strict", ASKS)), answer("Fine."))
    async with chat.socket() as socket, chat_of(operator) as other, other.socket() as stranger:
        event = await asked(socket)
        await stranger.frame(**decision(event))
        assert (await stranger.until("error"))["code"] == "unknown_request"
        await stranger.frame(type="stop", turn=event["turn"])
        assert (await stranger.until("error"))["code"] == "not_found"
        await socket.frame(**decision(event))
        await socket.finished()


async def test_a_question_reaches_the_person_and_the_answer_the_tool(
    chat: Chat, server: ModelServer, tools: None
) -> None:
    server.script(calls(tool_call("curious", {"question": "Which?"})), answer("Thanks."))
    async with chat.socket() as socket:
        event = await asked(socket, kind="question")
        assert event["text"] == "Which?"
        await socket.frame(type="answer", request=event["id"], text="  ")
        error = await socket.until("error")
        assert (error["code"], error["field"]) == ("invalid_answer", "text")
        await socket.frame(type="answer", request=event["id"], text="This one")
        await socket.finished()
    assert socket.of("tool_result")[0]["output"] == "This one"
    assert (await Message.objects.aget(role="tool")).content == "This one"


async def test_a_request_that_nobody_answers_expires(chat: Chat, server: ModelServer, tools: None) -> None:
    server.script(calls(tool_call("strict", ASKS)), answer("Too late."))
    async with chat.socket() as socket:
        event = await asked(socket)
        await Request.objects.aupdate(deadline=timezone.now())
        await socket.frame(**decision(event))
        assert (await socket.until("error"))["code"] == "not_asked_any_more"
        await socket.finished()
    assert [event["state"] for event in socket.of("resolved")] == ["expired"]
    assert "nobody allowed it in time" in socket.of("tool_result")[0]["output"]


async def test_a_reload_shows_a_pending_question_again(chat: Chat, server: ModelServer, tools: None) -> None:
    server.script(calls(tool_call("curious")), answer("Thanks."))
    async with chat.socket() as socket:
        event = await asked(socket, kind="question")
    async with chat.socket(after=event["seq"] - 1) as again:
        assert (await again.until("question"))["id"] == event["id"]
        await again.frame(type="answer", request=event["id"], text="Now")
        await again.finished()

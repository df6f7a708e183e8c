"""A stop ends a turn within a second in each of its phases, frees the provider, and loses nothing that was shown."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from agent_tools.models import AgentToolLog
from agent_tools.registry import registry
from chat.models import Message, Turn
from tests.fakes.chat import Chat, Socket, told
from tests.fakes.flags import Gate
from tests.fakes.model_script import Act, answer, calls, reply, text, tool_call
from tests.fakes.model_server import ModelServer
from tests.fakes.workers import Worker, Writer

pytestmark = pytest.mark.django_db(transaction=True)
# A generous bound on a loaded machine; what is promised is a second.
SOON = 5.0


@asynccontextmanager
async def soon() -> AsyncIterator[None]:
    async with asyncio.timeout(SOON):
        yield


async def started(socket: Socket, words: str, **switches: bool) -> str:
    await socket.send(words, **switches)
    return str((await socket.until("turn_started"))["turn"])


async def stop(socket: Socket, turn: str) -> str:
    async with soon():
        await socket.frame(type="stop", turn=turn)
        return str((await socket.finished(turn))["reason"])


async def test_before_the_first_word(chat: Chat, server: ModelServer) -> None:
    server.script(reply([Act.SILENCE]))
    async with chat.socket() as socket:
        turn = await started(socket, "Hi")
        request = await server.arrived(1)
        assert await stop(socket, turn) == "stopped"
        await request.disconnected.waited()
    assert await Message.objects.acount() == 1


async def test_in_the_middle_of_a_text_which_is_kept(chat: Chat, server: ModelServer) -> None:
    gate = Gate()
    server.script(reply(text("The first half"), [gate], text(" and the second.")), answer("Again."))
    async with chat.socket() as socket:
        turn = await started(socket, "Hi")
        await gate.reached.waited()
        await socket.until("text_delta", lambda _: "half" in socket.text())
        assert await stop(socket, turn) == "stopped"
        await server.requests[0].disconnected.waited()
        kept = await Message.objects.aget(role="assistant")
        assert (kept.content, kept.interrupted) == ("The first half", True)
        assert socket.of("turn_finished")[-1]["message"] == kept.pk
        assert socket.of("usage")[-1]["estimated"]
        await socket.send("Go on")
        await socket.finished()
    assert [message["role"] for message in told(server, 1)] == ["user", "assistant", "user"]


async def test_inside_a_tool_that_yields(chat: Chat, server: ModelServer, tools: None) -> None:
    server.script(calls(tool_call("worker", {"hold": True}), tool_call("echo", {"text": "x"}, id="b", index=1)))
    server.script(answer("Fine."))
    worker = registry.get("worker")
    assert isinstance(worker, Worker)
    async with chat.socket() as socket:
        turn = await started(socket, "Work", tools=True)
        await worker.until_inside(1)
        assert await stop(socket, turn) == "stopped"
        assert "worker cancelled" in worker.log
        assert await AgentToolLog.objects.filter(status="running").acount() == 0
        assert await Message.objects.filter(role="tool").acount() == 2
        await socket.send("And now?", tools=True)
        await socket.finished()


async def test_inside_a_tool_that_writes_is_told_at_once_and_done_when_it_is_through(
    chat: Chat, server: ModelServer, tools: None
) -> None:
    server.script(calls(tool_call("writer", {"hold": True, "name": "pen"})))
    writer = registry.get("writer")
    assert isinstance(writer, Writer)
    async with chat.socket() as socket:
        turn = await started(socket, "Write", tools=True)
        await writer.until_inside(1)
        async with soon():
            await socket.frame(type="stop", turn=turn)
            notice = await socket.until("notification")
        assert notice["details"]["code"] == "stopping"
        await writer.release()
        assert (await socket.finished(turn))["reason"] == "stopped"
    assert writer.log == ["pen began", "pen ended"]
    assert (await Message.objects.aget(role="tool")).content == "pen done"


@pytest.mark.parametrize("name", ["strict", "curious"])
async def test_while_a_person_is_awaited(chat: Chat, server: ModelServer, tools: None, name: str) -> None:
    arguments = {"verdict": "ask"} if name == "strict" else {"question": "Why?"}
    server.script(calls(tool_call(name, arguments)))
    async with chat.socket() as socket:
        turn = await started(socket, "Ask me", tools=True)
        asked = await socket.until("permission_request" if name == "strict" else "question")
        assert await stop(socket, turn) == "stopped"
        assert [(event["id"], event["state"]) for event in socket.of("resolved")] == [(asked["id"], "cancelled")]


async def test_while_it_waits_for_its_turn(chat: Chat, server: ModelServer) -> None:
    gate = Gate()
    server.script(reply(text("One"), [gate]), answer("Never asked for."))
    async with chat.socket() as socket:
        first = await started(socket, "One")
        await socket.send("Two")
        queued = await socket.until("message_added", lambda event: event["queued"])
        assert await stop(socket, queued["turn"]) == "stopped"
        assert await stop(socket, first) == "stopped"
    assert len(server.requests) == 1
    assert await Turn.objects.filter(state="finished").acount() == 2


async def test_too_late_harms_nobody(chat: Chat, server: ModelServer) -> None:
    gate = Gate()
    server.script(answer("Done."), reply(text("Still"), [gate], text(" here.")))
    async with chat.socket() as socket:
        first = await started(socket, "One")
        await socket.finished(first)
        second = await started(socket, "Two")
        await gate.reached.waited()
        await socket.frame(type="stop", turn=first)
        await socket.frame(type="stop", turn=uuid.uuid4())
        refused = await socket.until("error")
        assert refused["code"] == "not_found"
        assert not (await Turn.objects.aget(pk=second)).stop_requested
        assert await stop(socket, second) == "stopped"
    assert socket.of("turn_finished")[0]["reason"] == "completed"

"""Harmless calls run while the response still streams, and nothing comes of them when it ends otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from agent_tools.models import AgentToolLog
from agent_tools.registry import registry
from chat.models import Message
from tests.fakes.chat import Chat, told
from tests.fakes.flags import Gate
from tests.fakes.model_script import answer, calls, fault, reply, tool_call
from tests.fakes.model_server import ModelServer
from tests.fakes.workers import Worker

pytestmark = pytest.mark.django_db(transaction=True)
HARMLESS = {"read_only": True, "name": "early"}


def worker() -> Worker:
    found = registry.get("worker")
    assert isinstance(found, Worker)
    return found


async def test_a_sealed_call_that_only_reads_is_done_before_the_response_is(
    chat: Chat, server: ModelServer, tools: None
) -> None:
    gate = Gate()
    second = tool_call("echo", {"text": "late"}, id="b", index=1)
    server.script(
        reply(tool_call("worker", HARMLESS), second[:1], [gate], second[1:], calls().steps), answer("Both are done.")
    )
    async with chat.socket() as socket:
        await socket.send("Go", tools=True)
        await gate.reached.waited()
        early = await socket.until("tool_result")
        assert early["output"] == "early done"
        gate.open()
        await socket.finished()
    assert [message["content"] for message in told(server, 1)[-2:]] == ["early done", "late"]
    assert worker().log == ["early began", "early ended"]
    stored = await Message.objects.aget(role="assistant", step=1)
    assert [call["id"] for call in stored.calls] == [event["tool_call_id"] for event in socket.of("tool_result")]


async def test_what_writes_waits_for_the_end_of_the_response(chat: Chat, server: ModelServer, tools: None) -> None:
    gate = Gate()
    second = tool_call("echo", {"text": "late"}, id="b", index=1)
    server.script(reply(tool_call("worker", {"name": "w"}), second, [gate], calls().steps), answer("Done."))
    async with chat.socket() as socket:
        await socket.send("Go", tools=True)
        await gate.reached.waited()
        assert worker().log == []
        gate.open()
        await socket.finished()
    assert worker().log == ["w began", "w ended"]


async def test_a_response_that_breaks_drops_what_was_begun(chat: Chat, server: ModelServer, tools: None) -> None:
    gate = Gate()
    begun: list[Any] = [tool_call("worker", {**HARMLESS, "hold": True}), tool_call("echo", {}, id="b", index=1), [gate]]
    server.script(fault("eof_early", *begun), answer("Again."))
    async with chat.socket() as socket:
        await socket.send("Go", tools=True)
        await gate.reached.waited()
        await worker().until_inside(1)
        gate.open()
        assert (await socket.finished())["reason"] == "failed"
        assert worker().log == ["early began", "early cancelled"]
        assert await AgentToolLog.objects.filter(status="running").acount() == 0
        await socket.send("And?", tools=True)
        assert (await socket.finished())["reason"] == "completed"
    assert [message["role"] for message in told(server, 1)] == ["user"]

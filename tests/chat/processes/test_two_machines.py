"""Two web processes with PostgreSQL and Redis: whichever a person reaches, it is one conversation."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.conftest import service_or_skip
from tests.fakes.flags import Gate
from tests.fakes.model_script import Act, answer, calls, reply, text, tool_call
from tests.fakes.model_server import ModelServer
from tests.fakes.serving import ROOT, Serving
from tests.fakes.websocket import WebSocket

PATIENCE = 60.0


class Machines:
    """Two processes on one database and one Redis."""

    def __init__(self, one: Serving, two: Serving, session_key: str, conversations: list[str]) -> None:
        self.one = one
        self.two = two
        self._session_key = session_key
        self._conversations = iter(conversations)

    def conversation(self) -> str:
        return f"/ws/conversations/{next(self._conversations)}/"

    def socket(self, web: Serving, path: str) -> WebSocket:
        return WebSocket(web.port, path, session_key=self._session_key)


def in_new_database(url: str, name: str) -> str:
    """Make a database beside the given one, and return its address."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    head, _slash, tail = url.rpartition("/") if "?" not in url else url.partition("?")[0].rpartition("/")
    query = f"?{url.partition('?')[2]}" if "?" in url else ""
    assert tail
    return f"{head}/{name}{query}"


@pytest.fixture
async def machines(server: ModelServer, tmp_path: Path) -> AsyncIterator[Machines]:
    database, redis = service_or_skip("TEST_DATABASE_URL"), service_or_skip("TEST_REDIS_URL")
    name = f"agent_tools_{uuid.uuid4().hex[:12]}"
    environment = {
        "DATABASE_URL": in_new_database(database, name),
        "REDIS_URL": redis,
        "REDIS_PREFIX": name,
        "DATA_DIR": str(tmp_path / "data"),
    }
    try:
        filled = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-W", "ignore", "-m", "tests.fakes.filled_database", server.base_url, "4"],
            cwd=ROOT,
            env={**os.environ, **environment},
            capture_output=True,
            check=True,
            timeout=PATIENCE,
        )
        told = json.loads(filled.stdout)
        one = Serving(tmp_path, name="one", **environment).start()
        two = Serving(tmp_path, name="two", **environment).start()
        async with one, two:
            yield Machines(one, two, told["session"], told["conversations"])
    finally:
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


async def until(socket: WebSocket, kind: str, events: list[dict[str, Any]]) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE):
        while True:
            events.append(await socket.next())
            if events[-1]["type"] == kind:
                return events[-1]


async def test_two_processes_serve_one_conversation(machines: Machines, server: ModelServer) -> None:
    await live_news_reach_the_other(machines, server)
    await a_stop_from_the_other_works_within_a_second(machines, server)
    await an_answer_from_the_other_reaches_the_tool(machines, server)
    await a_killed_one_is_taken_over_by_the_other(machines, server)


async def live_news_reach_the_other(machines: Machines, server: ModelServer) -> None:
    gate = Gate()
    server.script(reply(text("From one"), [gate], answer(" to the other.").steps))
    path, here, there = machines.conversation(), list[dict[str, Any]](), list[dict[str, Any]]()
    async with machines.socket(machines.one, path) as one, machines.socket(machines.two, path) as two:
        await one.frame(type="sync", after=0)
        await two.frame(type="sync", after=0)
        await one.frame(type="send", client_id="a", text="Hi")
        await until(two, "text_delta", there)
        gate.open()
        await until(one, "turn_finished", here)
        await until(two, "turn_finished", there)
    assert here == there
    assert [event["seq"] for event in there] == list(range(1, len(there) + 1))


async def a_stop_from_the_other_works_within_a_second(machines: Machines, server: ModelServer) -> None:
    server.script(reply(text("On and on"), [Act.SILENCE]))
    path, events = machines.conversation(), list[dict[str, Any]]()
    async with machines.socket(machines.one, path) as one, machines.socket(machines.two, path) as two:
        await two.frame(type="sync", after=0)
        await one.frame(type="send", client_id="a", text="Hi")
        turn = (await until(two, "text_delta", events))["turn"]
        began = asyncio.get_running_loop().time()
        await two.frame(type="stop", turn=turn)
        assert (await until(two, "turn_finished", events))["reason"] == "stopped"
        # A generous bound on a loaded machine.
        assert asyncio.get_running_loop().time() - began < 5


async def an_answer_from_the_other_reaches_the_tool(machines: Machines, server: ModelServer) -> None:
    server.script(calls(tool_call("query", {"text": "said"})), answer("Thanks."))
    path, events = machines.conversation(), list[dict[str, Any]]()
    async with machines.socket(machines.one, path) as one, machines.socket(machines.two, path) as two:
        await two.frame(type="sync", after=0)
        await one.frame(type="send", client_id="a", text="Ask", tools=True)
        asked = await until(two, "question", events)
        await two.frame(type="answer", request=asked["id"], text="yes")
        assert (await until(two, "tool_result", events))["output"] == "said: yes"
        await until(two, "turn_finished", events)


async def a_killed_one_is_taken_over_by_the_other(machines: Machines, server: ModelServer) -> None:
    gate = Gate()
    server.script(reply(text("Half of it"), [gate]), answer("The whole."))
    path, events = machines.conversation(), list[dict[str, Any]]()
    async with machines.socket(machines.one, path) as one, machines.socket(machines.two, path) as two:
        await two.frame(type="sync", after=0)
        await one.frame(type="send", client_id="a", text="Hi")
        await until(two, "text_delta", events)
        machines.one.kill()
        assert (await until(two, "turn_finished", events))["reason"] == "completed"
    assert [event["attempt"] for event in events if event["type"] == "step_started"] == [1, 2]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))

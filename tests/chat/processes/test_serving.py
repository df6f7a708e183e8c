"""The web process: ends in good order under load, and lets no slow reader hold up others or fill its memory."""

from __future__ import annotations

import asyncio
import uuid
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.contrib.auth.models import User

from agent_tools.services.tokens import create_token
from agent_tools.services.tools import create_tool
from chat.database import in_database
from chat.journal.follow import follow
from chat.models import ChatModel, Conversation, Event, Message, Turn
from tests.fakes.chat import model_at, sign_in
from tests.fakes.flags import Gate
from tests.fakes.marks import marks
from tests.fakes.model_connection import Recorded
from tests.fakes.model_script import Reply, answer, calls, delta, done, finish, reply, text, tool_call, usage
from tests.fakes.model_server import ModelServer
from tests.fakes.serving import Serving, until_gone
from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import page
from tests.fakes.websocket import ClosedError, WebSocket

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 60.0


class Site:
    """A person on a site that real processes serve."""

    def __init__(self, user: User, model: ChatModel, session_key: str, folder: Path) -> None:
        self.user = user
        self.model = model
        self.session_key = session_key
        self.folder = folder

    async def conversation(self) -> Conversation:
        return await Conversation.objects.acreate(user=self.user, model=self.model)

    def socket(self, web: Serving, conversation: Conversation, **options: Any) -> WebSocket:
        path = f"/ws/conversations/{conversation.pk}/"
        return WebSocket(web.port, path, session_key=self.session_key, **options)


@pytest.fixture
async def site(transactional_db: None, person: User, server: ModelServer, tmp_path: Path) -> Site:
    model = await in_database(model_at, server.base_url)
    return Site(person, model, await in_database(sign_in, person), tmp_path)


async def finished(socket: WebSocket, events: list[dict[str, Any]]) -> None:
    """Read on until a turn has finished."""
    async with asyncio.timeout(PATIENCE):
        while not events or events[-1]["type"] != "turn_finished":
            events.append(await socket.next(PATIENCE))


async def closed(socket: WebSocket, events: list[dict[str, Any]]) -> int:
    """Read on until the server closes the socket, and return its code."""
    try:
        while True:
            events.append(await socket.next())
    except ClosedError as error:
        return error.code


async def test_at_its_end_twenty_streaming_turns_are_left_and_go_on_elsewhere(site: Site, server: ModelServer) -> None:
    count = 20
    gates = [Gate() for _ in range(count)]
    waiting = iter(gates)

    def respond(request: Recorded) -> Reply:
        gate = next(waiting, None)
        return reply(text("The first half"), [gate]) if gate else answer("The whole answer.")

    server.respond = respond
    conversations = [await site.conversation() for _ in range(count)]
    seen: list[list[dict[str, Any]]] = [[] for _ in conversations]
    async with Serving(site.folder) as first, AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(site.socket(first, each)) for each in conversations]
        for socket in sockets:
            await socket.frame(type="sync", after=0)
            await socket.frame(type="send", client_id=uuid.uuid4().hex, text="Go")
        for socket, events in zip(sockets, seen, strict=True):
            while not events or events[-1]["type"] != "text_delta":
                events.append(await socket.next())
        # Only now, for otherwise it might be the one to start some of the turns.
        second = Serving(site.folder).start()
        ending = asyncio.create_task(first.terminate())
        for socket, events in zip(sockets, seen, strict=True):
            assert await closed(socket, events) == 4012
        assert await ending == 0, first.output
    async with second:
        for conversation, events in zip(conversations, seen, strict=True):
            async with site.socket(second, conversation) as socket:
                await socket.frame(type="sync", after=events[-1]["seq"])
                await finished(socket, events)
    for events in seen:
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        attempts = [event["attempt"] for event in events if event["type"] == "step_started"]
        assert attempts == [1, 2], without_texts(events)
        assert events[-1]["reason"] == "completed"
    answers = [row.content async for row in Message.objects.filter(role="assistant")]
    assert answers == ["The whole answer."] * count
    assert await Turn.objects.filter(state="finished").acount() == count


async def test_fifty_turns_finish_beside_a_reader_that_does_not_read(site: Site, server: ModelServer) -> None:
    count, chunks, size = 50, 600, 8_000
    words = "x" * size

    def respond(request: Recorded) -> Reply:
        messages: Any = request.body["messages"]
        if messages[-1]["content"] != "Much":
            return answer("A short answer in a few words.")
        return reply([delta(content=words) for _ in range(chunks)], finish(), usage(), done())

    server.respond = respond
    slow = await site.conversation()
    others = [await site.conversation() for _ in range(count)]
    async with Serving(site.folder) as web:
        before = web.memory
        async with site.socket(web, slow, receive_buffer=4_096) as lazy:
            await lazy.frame(type="sync", after=0)
            await lazy.frame(type="send", client_id="much", text="Much")
            await asyncio.gather(*(one_turn(site, web, conversation) for conversation in others))
            async with asyncio.timeout(PATIENCE):
                async for event in follow(slow.pk, 0):
                    if event["type"] == "turn_finished":
                        break
            grown = web.memory - before
            assert grown < 80_000_000, f"{grown:,} bytes"
            events: list[dict[str, Any]] = []
            await finished(lazy, events)
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert "".join(event.get("text", "") for event in events if event["type"] == "text_delta") == words * chunks
    assert await Event.objects.filter(conversation=slow).acount() == len(events)


def without_texts(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event for event in events if not event["type"].endswith("_delta")]


async def one_turn(site: Site, web: Serving, conversation: Conversation) -> None:
    async with site.socket(web, conversation) as socket:
        await socket.frame(type="sync", after=0)
        await socket.frame(type="send", client_id="a", text="Little")
        events: list[dict[str, Any]] = []
        await finished(socket, events)
        assert events[-1]["reason"] == "completed"


async def test_at_its_end_tools_may_finish_and_questions_stay_asked(
    site: Site, server: ModelServer, marking: None
) -> None:
    wishes = {
        "quick": tool_call("mark", {"text": "quick", "seconds": 0.5}),
        "long": tool_call("mark", {"text": "long", "seconds": 60}),
        "ask": tool_call("query", {"text": "said"}),
    }

    def respond(request: Recorded) -> Reply:
        messages: Any = request.body["messages"]
        last = messages[-1]
        return calls(wishes[last["content"]]) if last["role"] == "user" else answer(f"It was: {last['content']}")

    server.respond = respond
    conversations = {wish: await site.conversation() for wish in wishes}
    async with Serving(site.folder, CHAT_DRAIN_SECONDS="2") as first:
        for wish, conversation in conversations.items():
            async with site.socket(first, conversation) as socket:
                await socket.frame(type="sync", after=0)
                await socket.frame(type="send", client_id="a", text=wish, tools=True)
                kind = "question" if wish == "ask" else "tool_call"
                while (event := await socket.next())["type"] != kind:
                    pass
        second = Serving(site.folder).start()
        assert await first.terminate() == 0, first.output
    async with second:
        told: dict[str, str] = {}
        for wish, conversation in conversations.items():
            events: list[dict[str, Any]] = []
            async with site.socket(second, conversation) as socket:
                await socket.frame(type="sync", after=0)
                if wish == "ask":
                    await socket.frame(type="answer", request=event["id"], text="yes")
                await finished(socket, events)
            assert len([each for each in events if each["type"] == "question"]) == (wish == "ask")
            told[wish] = "".join(each["text"] for each in events if each["type"] == "text_delta")
    assert told["quick"] == "It was: mark quick"
    assert "may have run" in told["long"]
    assert told["ask"] == "It was: said: yes"
    assert set(marks(first.marks).values()) == {1}


async def test_at_its_end_no_process_of_its_own_is_left(site: Site) -> None:
    async with FakeWeb() as web, Serving(site.folder, PYTHONWARNINGS="default") as server:
        web.on("/page", page("<h1>A page to convert</h1>"))
        config = {"allowed_networks": [f"127.0.0.1/32:{web.port}"]}
        tool = await in_database(partial(create_tool, name="F", slug="f", type="fetch", description="d", config=config))
        operator = await in_database(partial(User.objects.create_superuser, "operator"))
        _token, key = await in_database(create_token, operator, "test")
        async with httpx.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE) as client:
            address = f"http://127.0.0.1:{server.port}/api/agent-tools/{tool.pk}/execute"
            ran = await client.post(address, json={"input": {"url": web.url("/page")}})
        assert ran.json()["success"], ran.text
        workers = server.children
        assert workers
        assert await server.terminate() == 0
        await asyncio.to_thread(until_gone, workers)
        assert "leaked" not in server.output, server.output

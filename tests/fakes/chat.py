"""A chat at work in a test: a person's sockets, a model row for a scripted server, waits with bounds."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import User
from django.test import Client

from chat.database import in_database
from chat.journal.wake import leave
from chat.models import ChatModel, Conversation
from chat.ports.process import Process, process
from config.sockets import websocket_application
from tests.fakes.model_server import ModelServer

PATIENCE = 20.0


def sign_in(user: User) -> str:
    """Sign a person in and return the session's key."""
    client = Client()
    client.force_login(user)
    return str(client.cookies["sessionid"].value)


def model_at(base_url: str, **fields: Any) -> ChatModel:
    """Make a model that is served by a scripted server."""
    defaults: dict[str, Any] = {"label": f"Scripted {uuid.uuid4().hex[:6]}", "model_id": "test-model"}
    return ChatModel.objects.create(base_url=base_url, **{**defaults, **fields})


def told(server: ModelServer, number: int) -> list[dict[str, Any]]:
    """What a request, counted from 0, told the model: its messages without the system prompt."""
    messages: Any = server.bodies[number]["messages"]
    return list(messages[1:])


@dataclass(slots=True)
class Socket:
    """A browser's socket. `events` are the numbered events seen, `others` the rest; `last` is the highest number."""

    wire: WebsocketCommunicator
    conversation_id: uuid.UUID
    events: list[dict[str, Any]] = field(default_factory=list)
    others: list[dict[str, Any]] = field(default_factory=list)
    closed: int | None = None

    @property
    def last(self) -> int:
        return int(self.events[-1]["seq"]) if self.events else 0

    @property
    def types(self) -> list[str]:
        return [event["type"] for event in self.events]

    async def frame(self, **fields: Any) -> None:
        await self.wire.send_to(text_data=json.dumps(fields, default=str))

    async def send(self, text: str, **fields: Any) -> str:
        """Send a message and return its client id."""
        client_id = fields.pop("client_id", uuid.uuid4().hex)
        await self.frame(type="send", client_id=client_id, text=text, **fields)
        return str(client_id)

    async def next(self) -> dict[str, Any]:
        """Return the next message of the server."""
        output = await self.wire.receive_output(PATIENCE)
        if output["type"] == "websocket.close":
            self.closed = output["code"]
            return {"type": "closed", "code": output["code"]}
        message: dict[str, Any] = json.loads(output["text"])
        if message["type"] == "snapshot":
            self.others.append(message)
        elif "seq" in message:
            expected = self.last + 1 if self.events else message["seq"]
            assert message["seq"] == expected, f"expected event {expected}, got {message}"
            self.events.append(message)
        else:
            self.others.append(message)
        return message

    async def until(self, kind: str, test: Callable[[dict[str, Any]], bool] = lambda _: True) -> dict[str, Any]:
        """Read on until a message of this type that passes the test."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.next()
                if message["type"] == kind and test(message):
                    return message
                assert self.closed is None, f"closed with {self.closed} while waiting for {kind}"

    async def finished(self, turn: str | None = None) -> dict[str, Any]:
        """Read on until the turn (none: any) has finished."""
        return await self.until("turn_finished", lambda event: turn is None or event["turn"] == turn)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["type"] == kind]

    def text(self, turn: str | None = None) -> str:
        """The answer as the page shows it: the deltas of each step's last attempt."""
        steps: dict[tuple[str, int], str] = {}
        for event in self.events:
            if turn is not None and event["turn"] != turn:
                continue
            if event["type"] == "step_started":
                steps[event["turn"], event["step"]] = ""
            elif event["type"] == "text_delta":
                steps[event["turn"], event["step"]] += event["text"]
        return "".join(steps.values())


class Chat:
    """One person's conversation."""

    def __init__(self, user: User, conversation: Conversation, session_key: str) -> None:
        self.user = user
        self.conversation = conversation
        self.session_key = session_key

    @property
    def process(self) -> Process:
        return process()

    def wire(self, *, session_key: str | None = None, origin: str = "http://localhost") -> WebsocketCommunicator:
        """Return a socket that is not connected yet."""
        key = self.session_key if session_key is None else session_key
        headers = [(b"cookie", f"sessionid={key}".encode()), (b"origin", origin.encode())]
        return WebsocketCommunicator(websocket_application, f"/ws/conversations/{self.conversation.pk}/", headers)

    @asynccontextmanager
    async def socket(self, after: int | None = 0) -> AsyncIterator[Socket]:
        """Connect, and follow the journal from a number on (none: do not)."""
        wire = self.wire()
        connected, _code = await wire.connect(PATIENCE)
        assert connected
        socket = Socket(wire, self.conversation.pk)
        try:
            if after is not None:
                await socket.frame(type="sync", after=after)
            yield socket
        finally:
            await wire.disconnect(timeout=PATIENCE)  # which a server tells a consumer that closed, too


@asynccontextmanager
async def chat_of(user: User, model: ChatModel | None = None) -> AsyncIterator[Chat]:
    """Give a person a new conversation; whatever runs in this process ends with the block."""
    conversation = await Conversation.objects.acreate(user=user, model=model)
    key = await in_database(sign_in, user)
    try:
        yield Chat(user, conversation, key)
    finally:
        await process().runner.close()
        await leave()

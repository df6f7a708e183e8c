"""The socket: who may open it, what it takes, what it answers, and that losing it loses nothing."""

from __future__ import annotations

import random
import uuid
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import User
from django.test import Client

from chat.database import in_database
from chat.models import Conversation, Message
from tests.fakes.chat import PATIENCE, Chat, chat_of, sign_in
from tests.fakes.flags import Gate
from tests.fakes.model_script import answer, reply, text
from tests.fakes.model_server import ModelServer

pytestmark = pytest.mark.django_db(transaction=True)


async def closing_code(wire: WebsocketCommunicator) -> int:
    """Connect, and return the code with which the server closes at once."""
    connected, _ = await wire.connect(PATIENCE)
    assert connected
    output = await wire.receive_output(PATIENCE)
    assert output["type"] == "websocket.close"
    return int(output["code"])


async def test_strangers_are_accepted_and_closed_with_a_code(chat: Chat, operator: User) -> None:
    assert await closing_code(chat.wire(session_key="")) == 4401
    assert await closing_code(chat.wire(session_key="x" * 32)) == 4401
    assert await closing_code(chat.wire(session_key=await in_database(sign_in, operator))) == 4404
    await Conversation.objects.filter(pk=chat.conversation.pk).adelete()
    assert await closing_code(chat.wire()) == 4404


async def test_another_site_cannot_open_it(chat: Chat) -> None:
    connected, _ = await chat.wire(origin="https://evil.example").connect(PATIENCE)
    assert not connected


@pytest.mark.parametrize(
    ("frame", "code", "field"),
    [
        ("{", "invalid_frame", ""),
        ("[]", "invalid_frame", ""),
        ('{"type": "dance"}', "invalid_frame", ""),
        ('{"type": "send", "text": "x"}', "invalid_frame", "send.client_id"),
        ('{"type": "send", "client_id": "a", "text": "  \\u0000 "}', "empty_message", "text"),
        ('{"type": "stop", "turn": "x"}', "invalid_frame", "stop.turn"),
        ('{"type": "sync", "after": -1}', "invalid_frame", "sync.after"),
        ('{"type": "edit", "client_id": "a", "message": 1, "text": "x"}', "not_found", None),
        (f'{{"type": "send", "client_id": "a", "text": "x", "model": "{uuid.UUID(int=1)}"}}', "unknown_model", "model"),
        (f'{{"type": "regenerate", "turn": "{uuid.UUID(int=1)}"}}', "not_found", None),
        (f'{{"type": "answer", "request": "{uuid.UUID(int=1)}", "text": "x"}}', "unknown_request", None),
    ],
)
async def test_a_wrong_frame_is_answered_and_the_socket_stays_open(
    chat: Chat, server: ModelServer, frame: str, code: str, field: str | None
) -> None:
    server.script(answer("Still here."))
    async with chat.socket() as socket:
        await socket.wire.send_to(text_data=frame)
        error = await socket.until("error")
        assert (error["code"], error.get("field")) == (code, field)
        assert "seq" not in error
        await socket.wire.send_to(bytes_data=b"\x00")
        assert (await socket.until("error"))["code"] == "invalid_frame"
        await socket.send("Hi")
        await socket.finished()


async def test_what_cannot_be_stored_is_made_safe(chat: Chat, server: ModelServer) -> None:
    server.script(answer("Fine."))
    async with chat.socket() as socket:
        await socket.wire.send_to(
            text_data='{"type": "send", "client_id": "a", "text": "a\\u0000b \\ud83d\\ude00 \\ud83d"}'
        )
        await socket.finished()
    assert (await Message.objects.aget(role="user")).content == "ab 😀 \ufffd"


async def test_signing_out_closes_the_sockets_of_that_browser(chat: Chat) -> None:
    client = Client()
    client.cookies["sessionid"] = chat.session_key
    other = await in_database(sign_in, chat.user)
    async with chat.socket() as socket:
        elsewhere = chat.wire(session_key=other)
        assert (await elsewhere.connect(PATIENCE))[0]
        await sync_to_async(client.logout)()
        assert (await socket.next())["code"] == 4401
        assert await elsewhere.receive_nothing(0.1, 0.01)
        await elsewhere.disconnect()


async def test_a_disabled_person_is_sent_away(chat: Chat, server: ModelServer) -> None:
    async with chat.socket() as socket:
        chat.user.is_active = False
        await chat.user.asave()
        assert (await socket.next())["code"] == 4401


async def test_an_ended_session_is_noticed_at_the_next_frame(chat: Chat) -> None:
    from django.contrib.sessions.models import Session

    async with chat.socket() as socket:
        await Session.objects.all().adelete()
        await socket.send("Hi")
        assert (await socket.next())["code"] == 4401
    assert await Message.objects.acount() == 0


async def test_dropping_the_socket_anywhere_and_coming_back_gives_the_exact_sequence(
    chat: Chat, server: ModelServer
) -> None:
    chance = random.Random(7)
    gates = [Gate() for _ in range(12)]
    words = [f"Part {number}. " for number in range(len(gates))]
    steps: list[Any] = []
    for gate, part in zip(gates, words, strict=True):
        steps += [*text(part), gate]
    server.script(reply(steps, answer("The end.").steps))
    events: list[dict[str, Any]] = []
    async with chat.socket() as socket:
        await socket.send("Talk")
    for gate in gates:
        async with chat.socket(after=events[-1]["seq"] if events else 0) as socket:
            for _ in range(chance.randint(0, 2)):
                events.append(await socket.next())
                if events[-1]["type"] == "text_delta":
                    break
        await gate.reached.waited()
        gate.open()
    async with chat.socket(after=events[-1]["seq"] if events else 0) as socket:
        await socket.finished()
        events += socket.events
    async with chat.socket() as whole:
        await whole.finished()
    assert events == whole.events
    assert whole.text() == "".join(words) + "The end."


async def test_losing_the_socket_never_stops_a_turn(chat: Chat, server: ModelServer) -> None:
    gate = Gate()
    server.script(reply(text("Some"), [gate], answer(" more.").steps))
    async with chat.socket() as socket:
        await socket.send("Hi")
        await gate.reached.waited()
    gate.open()
    async with chat.socket() as socket:
        assert (await socket.finished())["reason"] == "completed"
    assert socket.text() == "Some more."


async def test_a_second_sync_begins_anew_and_doubles_nothing(chat: Chat, server: ModelServer) -> None:
    server.script(answer("One."), answer("Two."))
    async with chat.socket() as socket:
        await socket.send("1")
        await socket.finished()
        first = list(socket.events)
        socket.events.clear()
        await socket.frame(type="sync", after=0)
        await socket.finished()
        assert socket.events == first
        await socket.send("2")
        await socket.finished()
        assert socket.types.count("turn_finished") == 2


async def test_two_people_see_nothing_of_each_other(chat: Chat, server: ModelServer, operator: User) -> None:
    server.script(answer("Secret."))
    async with chat_of(operator) as other, other.socket() as stranger, chat.socket() as socket:
        await socket.send("Hi")
        await socket.finished()
        assert await stranger.wire.receive_nothing(0.1, 0.01)

"""Queues, edits and further answers: nothing is overwritten, nothing doubled, one turn at a time."""

from __future__ import annotations

import asyncio

import pytest

from chat.database import in_database
from chat.frames import Send
from chat.journal.wake import hub
from chat.models import ChatModel, Conversation, Message, Turn
from chat.services import leases, turns
from tests.fakes.chat import Chat, told
from tests.fakes.flags import Gate
from tests.fakes.model_script import answer, reply, text
from tests.fakes.model_server import ModelServer

pytestmark = pytest.mark.django_db(transaction=True)


def said(server: ModelServer, number: int) -> list[object]:
    """The texts of a request's messages."""
    return [message["content"] for message in told(server, number)]


async def test_a_message_sent_meanwhile_waits_and_follows(chat: Chat, server: ModelServer) -> None:
    gate = Gate()
    server.script(reply(text("First"), [gate], answer(" answer.").steps), answer("Second answer."))
    async with chat.socket() as socket:
        await socket.send("One")
        await gate.reached.waited()
        await socket.send("Two")
        waiting = await socket.until("message_added", lambda event: event["queued"])
        assert waiting["message"]["parent"] is None
        gate.open()
        await socket.finished()
        await socket.finished()
    assert said(server, 1) == ["One", "First answer.", "Two"]
    rows = [row async for row in Message.objects.order_by("id")]
    by_text = {row.content: row for row in rows}
    assert by_text["Two"].parent_id == by_text["First answer."].pk
    assert [event["reason"] for event in socket.of("turn_finished")] == ["completed", "completed"]


async def test_a_resent_message_does_not_double(chat: Chat, server: ModelServer) -> None:
    server.script(answer("Once."), answer("Other."))
    async with chat.socket() as socket:
        for _ in range(3):
            await socket.send("Hi", client_id="same")
        await socket.finished()
        await socket.send("Hi", client_id="same")
        await socket.send("Other", client_id="other")
        await socket.finished()
    assert len(socket.of("message_added")) == 2
    assert len(server.requests) == 2
    assert await Turn.objects.acount() == 2


async def test_an_edit_begins_a_branch_beside_the_message(chat: Chat, server: ModelServer) -> None:
    server.script(answer("A."), answer("B."), answer("B again."))
    async with chat.socket() as socket:
        await socket.send("One")
        await socket.finished()
        await socket.send("Two")
        await socket.finished()
        second = socket.of("message_added")[1]["message"]
        await socket.frame(type="edit", client_id="e1", message=second["id"], text="Two, better")
        await socket.finished()
    assert said(server, 2) == ["One", "A.", "Two, better"]
    edited = await Message.objects.aget(content="Two, better")
    assert edited.parent_id == second["parent"]
    newest = await Message.objects.aget(content="B again.")
    assert (await Conversation.objects.aget()).leaf_id == newest.pk


async def test_the_first_message_can_be_edited_too(chat: Chat, server: ModelServer) -> None:
    server.script(answer("A."), answer("B."))
    async with chat.socket() as socket:
        await socket.send("One")
        await socket.finished()
        first = socket.of("message_added")[0]["message"]
        await socket.frame(type="edit", client_id="e1", message=first["id"], text="Uno")
        await socket.frame(type="edit", client_id="e1", message=first["id"], text="Uno")
        await socket.finished()
    assert said(server, 1) == ["Uno"]
    assert await Message.objects.filter(parent=None).acount() == 2


async def test_another_answer_stands_beside_the_first(chat: Chat, server: ModelServer) -> None:
    server.script(answer("A."), answer("Another."), answer("More."))
    async with chat.socket() as socket:
        await socket.send("One")
        turn = (await socket.finished())["turn"]
        await socket.frame(type="regenerate", turn=turn)
        await socket.finished()
        await socket.send("Two")
        await socket.finished()
    assert said(server, 1) == ["One"]
    assert said(server, 2) == ["One", "Another.", "Two"]
    one = await Message.objects.aget(content="One")
    assert [row.content async for row in one.children.order_by("id")] == ["A.", "Another."]


async def test_what_is_edited_and_asked_anew_meanwhile_waits_its_turn(chat: Chat, server: ModelServer) -> None:
    gate = Gate()
    server.script(answer("A."), reply(text("B"), [gate], answer(".").steps), answer("C."), answer("D."), answer("E."))
    async with chat.socket() as socket:
        await socket.send("One")
        first_turn = (await socket.finished())["turn"]
        one = socket.of("message_added")[0]["message"]
        await socket.send("Two")
        running = (await socket.until("turn_started"))["turn"]
        await gate.reached.waited()
        await socket.frame(type="edit", client_id="e", message=one["id"], text="Uno")
        await socket.frame(type="regenerate", turn=first_turn)
        await socket.frame(type="regenerate", turn=first_turn)
        await socket.frame(type="regenerate", turn=running)
        assert (await socket.until("error"))["code"] == "not_now"
        await socket.send("Three")
        await socket.until("message_added", lambda event: event["message"]["content"] == "Three")
        gate.open()
        for _ in range(4):
            await socket.finished()
    assert [said(server, number) for number in range(1, 5)] == [
        ["One", "A.", "Two"],
        ["Uno"],
        ["One"],
        ["One", "D.", "Three"],
    ]


async def test_a_message_that_still_waits_is_replaced_where_it_stands(chat: Chat, server: ModelServer) -> None:
    gate = Gate()
    server.script(reply(text("A"), [gate], answer(".").steps), answer("B."), answer("C."))
    async with chat.socket() as socket:
        await socket.send("One")
        await gate.reached.waited()
        await socket.send("Two")
        two = await socket.until("message_added", lambda event: event["message"]["content"] == "Two")
        await socket.send("Three")
        await socket.frame(type="edit", client_id="e", message=two["message"]["id"], text="Two, better")
        stopped = await socket.finished(two["turn"])
        assert stopped["reason"] == "stopped"
        gate.open()
        for _ in range(3):
            await socket.finished()
    assert said(server, 2) == ["One", "A.", "Two, better", "B.", "Three"]


async def test_many_messages_at_once_are_answered_one_after_the_other(chat: Chat, server: ModelServer) -> None:
    count = 12
    server.script(*(answer(f"Answer {number}.") for number in range(count)))
    async with chat.socket() as one, chat.socket() as two:
        await asyncio.gather(*((one if number % 2 else two).send(str(number)) for number in range(count)))
        for _ in range(count):
            await one.finished()
        for _ in range(count):
            await two.finished()
    assert one.events == two.events
    assert len(server.requests) == count
    assert len(said(server, count - 1)) == 2 * count - 1


async def test_a_turn_that_starts_while_others_are_looked_at_is_let_run(chat: Chat, server: ModelServer) -> None:
    gate = Gate()
    server.script(reply(text("Long"), [gate], text(" answer.")), answer("Short answer."))
    other = await Conversation.objects.acreate(user=chat.user, model=await ChatModel.objects.aget())
    async with chat.socket() as socket, Chat(chat.user, other, chat.session_key).socket() as second:
        await socket.send("One")
        await gate.reached.waited()
        await in_database(turns.send, chat.user.pk, other.pk, Send(type="send", client_id="a", text="Two"))
        chat.process.runner.start_next(other.pk)
        hub().deliver(leases.TURNS, {})  # the look at the first turn waits behind the claim of the second
        assert (await second.finished())["reason"] == "completed"
        assert [event["epoch"] for event in second.of("turn_started")] == [1]
        gate.open()
        await socket.finished()

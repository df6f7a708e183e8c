"""Processes are killed in the middle of turns: every turn ends, nothing is doubled, nothing is lost.

`TEST_KILLS` sets how many turns are tried (8).
"""

from __future__ import annotations

import asyncio
import os
import random
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User

from agent_tools.models import AgentToolLog
from chat.database import in_database
from chat.frames import Send
from chat.journal.follow import follow
from chat.models import ChatModel, Conversation, Message
from chat.services import turns
from tests.fakes.chat import model_at
from tests.fakes.marks import marks
from tests.fakes.model_connection import Recorded
from tests.fakes.model_script import Reply, calls, delta, done, finish, reply, text, tool_call, usage
from tests.fakes.model_server import ModelServer
from tests.fakes.runners import Runners
from tests.fakes.strict_provider import Strict

pytestmark = pytest.mark.django_db(transaction=True)
TURNS = int(os.environ.get("TEST_KILLS", "8"))
TOGETHER = 4
PATIENCE = 60.0
ROUNDS = [["peek", "mark"], ["mark"], ["peek", "peek", "mark"], ["mark", "peek"]]
ANSWER = "All of it was done, in this order and no other."


def respond(request: Recorded) -> Reply:
    """Answer by how far the turn has come: four rounds of calls, then words."""
    messages: Any = request.body["messages"]
    done_rounds = sum(message["role"] == "assistant" for message in messages)
    if done_rounds == len(ROUNDS):
        return reply(delta(role="assistant", content=""), text(ANSWER), finish(), usage(), done())
    steps = [
        tool_call(name, {"text": f"{done_rounds}.{at}", "seconds": 0.02}, id=f"c{done_rounds}{at}", index=at)
        for at, name in enumerate(ROUNDS[done_rounds])
    ]
    return calls(text(f"Round {done_rounds} begins."), *steps)


async def followed(conversation_id: uuid.UUID) -> list[dict[str, Any]]:
    """Follow a conversation until its turn has finished."""
    events: list[dict[str, Any]] = []
    async with asyncio.timeout(PATIENCE):
        async for event in follow(conversation_id, 0):
            events.append(event)
            if event["type"] == "turn_finished":
                break
    return events


async def kill_at_random(runners: Runners, chance: random.Random, watching: list[asyncio.Task[Any]]) -> None:
    """Have turns run by processes of which the first two die at a random moment."""
    for _ in range(2):
        runner = runners.fork()
        await asyncio.wait(watching, timeout=chance.uniform(0.0, 1.5))
        runners.kill(runner)
    runner = runners.fork()
    await asyncio.wait(watching, timeout=PATIENCE)
    runners.kill(runner)


@pytest.mark.timeout(120 + 6 * TURNS)
async def test_every_turn_ends_and_nothing_happens_twice(person: User, runners: Runners) -> None:
    async with ModelServer(strict=Strict()) as server:
        server.respond = respond
        model = await in_database(model_at, server.base_url)
        for start in range(0, TURNS, TOGETHER):
            await some_turns(person, model, runners, random.Random(start), min(TOGETHER, TURNS - start))
        assert not server.refused
    counted = marks(runners.marks)
    assert [call for call, times in counted.items() if call.startswith("mark ") and times > 1] == []
    assert await AgentToolLog.objects.filter(status="running").acount() == 0


async def some_turns(person: User, model: ChatModel, runners: Runners, chance: random.Random, count: int) -> None:
    frame = Send(type="send", client_id="c", text="Go", tools=True)
    conversations = [await Conversation.objects.acreate(user=person, model=model) for _ in range(count)]
    for conversation in conversations:
        await in_database(turns.send, person.pk, conversation.pk, frame)
    watching = [asyncio.create_task(followed(conversation.pk)) for conversation in conversations]
    await kill_at_random(runners, chance, watching)
    for conversation, watched in zip(conversations, watching, strict=True):
        await check(conversation, await watched)


async def check(conversation: Conversation, events: list[dict[str, Any]]) -> None:
    """Prove that rows and events of a turn are as if nothing had happened."""
    rows = [row async for row in Message.objects.filter(conversation=conversation).order_by("id")]
    shape = [row.role for row in rows]
    assert shape == ["user", *(role for one in ROUNDS for role in ["assistant", *["tool"] * len(one)]), "assistant"]
    assert [row.parent_id for row in rows] == [None, *(row.pk for row in rows[:-1])]
    assert rows[-1].content == ANSWER
    assert events[-1]["reason"] == "completed"
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    asked = [call["id"] for row in rows for call in row.calls]
    assert [str(row.call_id) for row in rows if row.role == "tool"] == asked
    told = [event["tool_call_id"] for event in events if event["type"] == "tool_result"]
    assert set(asked) <= set(told)
    assert len(set(told)) == len(told)
    assert shown(events) == "".join(f"Round {number} begins." for number in range(len(ROUNDS))) + ANSWER


def shown(events: list[dict[str, Any]]) -> str:
    """Return the text as a page shows it: of each step what its last attempt said."""
    steps: dict[int, str] = {}
    for event in events:
        if event["type"] == "step_started":
            steps[event["step"]] = ""
        elif event["type"] == "text_delta":
            steps[event["step"]] += event["text"]
    return "".join(steps.values())

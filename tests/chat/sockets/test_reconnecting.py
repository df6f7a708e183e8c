"""A browser that loses its socket again and again, at any moment, misses nothing and gets nothing twice."""

from __future__ import annotations

import asyncio
import random
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from agent_tools.contract.events import Event, NotificationEvent
from chat.database import in_database
from chat.events import TextDelta
from chat.journal import store
from chat.models import Conversation, Message, Turn
from chat.services import leases
from tests.fakes.chat import Chat

pytestmark = pytest.mark.django_db(transaction=True)
EVENTS = 2_000
RECONNECTIONS = 200
PATIENCE = 240.0


def begin(conversation: Conversation) -> uuid.UUID:
    """Have a turn run in somebody else's hands for as long as the test takes."""
    message = Message.objects.create(conversation=conversation, role="user", content="Talk")
    Turn.objects.create(conversation=conversation, user_message=message)
    held = leases.claim_next(conversation.pk, "somebody")
    assert held is not None
    Turn.objects.filter(pk=held.turn_id).update(lease_until=timezone.now() + timedelta(hours=1))
    return held.turn_id


def tell(conversation_id: uuid.UUID, turn_id: uuid.UUID, numbers: range) -> None:
    """Append an event for each number, of two kinds in turn."""
    told: list[Event] = [
        TextDelta(step=1, text=f"{number} ") if number % 2 else NotificationEvent(level="info", message=str(number))
        for number in numbers
    ]
    with transaction.atomic():
        store.append(store.lock(conversation_id), told, turn_id=turn_id)


async def test_two_hundred_reconnections_in_a_turn_of_two_thousand_events(chat: Chat) -> None:
    chance = random.Random(11)
    conversation_id = chat.conversation.pk
    turn_id = await in_database(begin, chat.conversation)

    written = 1

    async def talk(rounds: asyncio.Semaphore) -> None:
        """Write a piece ahead of each connection, so that some are lost in the middle of news."""
        nonlocal written
        step = EVENTS // RECONNECTIONS
        for start in range(0, EVENTS, step):
            await rounds.acquire()
            await in_database(tell, conversation_id, turn_id, range(start, start + step))
            written += step

    rounds = asyncio.Semaphore(3)
    events: list[dict[str, Any]] = []
    async with asyncio.timeout(PATIENCE):
        talking = asyncio.create_task(talk(rounds))
        for _ in range(RECONNECTIONS):
            async with chat.socket(after=events[-1]["seq"] if events else 0) as socket:
                for _ in range(min(chance.randint(0, 20), written - len(events))):
                    await socket.next()
            assert not socket.others
            events += socket.events
            rounds.release()
        await talking
        async with chat.socket(after=events[-1]["seq"]) as socket:
            while len(events) + len(socket.events) <= EVENTS:
                await socket.next()
        events += socket.events
    assert [event["seq"] for event in events] == list(range(1, EVENTS + 2))
    words = [event["text"].strip() if "text" in event else event["message"] for event in events[1:]]
    assert words == [str(number) for number in range(EVENTS)]

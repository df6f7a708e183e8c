"""The journal: numbered without gaps whoever writes, followed without loss, folded without leaving readers behind."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from agent_tools.contract.events import NotificationEvent, ToolProgressEvent
from chat.database import in_database
from chat.events import TextDelta, ThinkingDelta
from chat.journal import store, wake
from chat.journal.fold import fold_next
from chat.journal.follow import follow
from chat.journal.recorder import LONGEST_DELTA, MOST_CHARS, Recorder
from chat.journal.store import Held, SupersededError
from chat.models import Conversation, Event, Message, Turn, TurnReason
from chat.services import leases
from chat.services.endings import finish

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 20.0


@pytest.fixture
def conversation(transactional_db: None, person: User) -> Conversation:
    return Conversation.objects.create(user=person)


@pytest.fixture
def held(conversation: Conversation) -> Held:
    """A running turn of the conversation."""
    message = Message.objects.create(conversation=conversation, role="user", content="Hi")
    Turn.objects.create(conversation=conversation, user_message=message)
    claimed = leases.claim_next(conversation.pk, "me")
    assert claimed is not None
    return claimed


def note(words: str) -> NotificationEvent:
    return NotificationEvent(level="info", message=words)


def append(conversation_id: uuid.UUID, *words: str) -> None:
    with transaction.atomic():
        store.append(store.lock(conversation_id), [note(each) for each in words])


@asynccontextmanager
async def following(conversation_id: uuid.UUID, after: int = 0) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
    events = follow(conversation_id, after)
    async with asyncio.timeout(PATIENCE):
        yield events
    await events.aclose()


def test_writers_side_by_side_leave_no_gap_and_no_double(conversation: Conversation) -> None:
    def write(name: str) -> None:
        for number in range(10):
            append(conversation.pk, f"{name}{number}", f"{name}{number}+")
        connection.close()

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    rows = list(Event.objects.filter(conversation=conversation).order_by("seq").values_list("seq", "data"))
    assert [seq for seq, _data in rows] == list(range(1, 81))
    for name in "abcd":
        own = [data["message"] for _seq, data in rows if data["message"].startswith(name)]
        assert own == [f"{name}{number}{more}" for number in range(10) for more in ("", "+")]


async def test_a_follower_meets_every_event_once_while_others_write(conversation: Conversation) -> None:
    async def write() -> None:
        for number in range(150):
            await in_database(append, conversation.pk, str(number))

    writing = asyncio.create_task(write())
    async with following(conversation.pk) as events:
        seen = [(await anext(events))["seq"] for _ in range(150)]
    await writing
    assert seen == list(range(1, 151))


async def test_a_follower_that_hears_no_news_looks_by_itself(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wake, "announce", lambda *_: None)
    async with following(conversation.pk) as events:
        first = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0)
        await in_database(append, conversation.pk, "unheard")
        assert (await first)["message"] == "unheard"


async def test_a_follower_behind_the_fold_gets_a_snapshot_and_goes_on(conversation: Conversation, held: Held) -> None:
    async with Recorder(held) as recorder:
        await recorder.emit(TextDelta(step=1, text="a"), ThinkingDelta(step=1, text="b"), note("kept"))
        await recorder.record(write=lambda conversation, turn: finish(conversation, turn, TurnReason.COMPLETED))
    before = [event async for event in _all(conversation.pk)]
    assert not await in_database(fold_next, rest=3600)
    assert await in_database(fold_next, rest=0)
    assert not await in_database(fold_next, rest=0)
    kept = await in_database(lambda: list(Event.objects.order_by("seq").values_list("type", flat=True)))
    assert kept == ["turn_started", "notification", "turn_finished"]
    await in_database(append, conversation.pk, "later")
    async with following(conversation.pk, after=1) as events:
        snapshot = await anext(events)
        assert snapshot == {"type": "snapshot", "upto": before[-1]["seq"] + 1}
        waiting = asyncio.ensure_future(anext(events))
        await in_database(append, conversation.pk, "newest")
        assert (await waiting)["message"] == "newest"
    async with following(conversation.pk, after=before[-1]["seq"]) as events:
        assert (await anext(events))["message"] == "later"


async def test_a_snapshot_leaves_the_running_turn_to_the_journal(conversation: Conversation, held: Held) -> None:
    async with Recorder(held) as recorder:
        await recorder.emit(TextDelta(step=1, text="a"))
        await recorder.record(write=lambda conversation, turn: finish(conversation, turn, TurnReason.COMPLETED))
    await in_database(fold_next, rest=0)
    message = await Message.objects.acreate(conversation=conversation, role="user", content="More")
    await Turn.objects.acreate(conversation=conversation, user_message=message)
    second = await in_database(leases.claim_next, conversation.pk, "me")
    assert second is not None
    async with Recorder(second) as recorder:
        await recorder.emit(TextDelta(step=1, text="live"))
    async with following(conversation.pk) as events:
        assert (await anext(events))["type"] == "snapshot"
        assert [(await anext(events))["type"] for _ in range(2)] == ["turn_started", "text_delta"]


async def test_deltas_are_joined_but_the_first_comes_at_once(held: Held) -> None:
    async with Recorder(held) as recorder, following(held.conversation_id, after=1) as events:
        await recorder.delta(TextDelta(step=1, text="first"))
        assert (await anext(events))["text"] == "first"
        for number in range(100):
            await recorder.delta(TextDelta(step=1, text=f" {number}"))
            await asyncio.sleep(0)
        await recorder.delta(ThinkingDelta(step=1, text="hm"))
        await recorder.emit(note("boundary"))
        rest: list[dict[str, Any]] = []
        while not rest or rest[-1]["type"] != "notification":
            rest.append(await anext(events))
    assert "".join(event["text"] for event in rest if event["type"] == "text_delta") == "".join(
        f" {number}" for number in range(100)
    )
    assert [event["type"] for event in rest][-2:] == ["thinking_delta", "notification"]
    assert len(rest) <= 5


async def test_what_waits_to_be_written_is_bounded(held: Held) -> None:
    async with Recorder(held) as recorder:
        for _ in range(60):
            await recorder.delta(TextDelta(step=1, text="x" * 8_000))
            assert recorder._chars <= MOST_CHARS
        await recorder.flush()
    texts = [data["text"] async for data in Event.objects.filter(type="text_delta").values_list("data", flat=True)]
    assert sum(map(len, texts)) == 480_000
    assert max(map(len, texts)) <= 2 * LONGEST_DELTA


async def test_only_the_latest_progress_of_each_call_is_kept(held: Held) -> None:
    one, two = uuid.uuid4(), uuid.uuid4()
    async with Recorder(held) as recorder:
        await recorder.emit(note("before"))
        for number in range(20):
            await recorder.progress(ToolProgressEvent(id=one, fraction=number / 20, message=str(number)))
            await recorder.progress(ToolProgressEvent(id=two, fraction=None, message=str(number)))
        await recorder.flush()
    rows = [data async for data in Event.objects.filter(type="tool_progress").values_list("data", flat=True)]
    assert [(row["id"], row["progress"]["message"]) for row in rows] == [(str(one), "19"), (str(two), "19")]


async def test_a_writer_that_lost_its_turn_is_refused(held: Held) -> None:
    await Turn.objects.filter(pk=held.turn_id).aupdate(lease_until=timezone.now() - timedelta(seconds=1))
    newer = await in_database(leases.take_over, held.turn_id, "other")
    assert newer is not None
    assert newer.epoch == held.epoch + 1
    async with Recorder(held) as old, Recorder(newer) as new:
        with pytest.raises(SupersededError):
            await old.emit(note("old"))
        await old.delta(TextDelta(step=1, text="old"))
        await new.emit(note("new"))
        with pytest.raises(SupersededError):
            await old.flush()
    kept = [data async for data in Event.objects.filter(type="notification").values_list("data", flat=True)]
    assert [data["message"] for data in kept] == ["new"]


async def _all(conversation_id: uuid.UUID) -> AsyncIterator[dict[str, Any]]:
    page = await in_database(store.read, conversation_id, 0)
    for event in page.events:
        yield event

"""A turn whose process was killed goes on in another where it stood: asked questions stay asked, writes are not
repeated, what only reads is.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from django.contrib.auth.models import User

from agent_tools.models import AgentTool, AgentToolLog, PermissionRule
from chat import frames
from chat.database import in_database
from chat.journal.follow import follow
from chat.models import Conversation, Message, Request, Turn
from chat.services import requests, turns
from tests.fakes.chat import model_at, told
from tests.fakes.flags import Gate
from tests.fakes.marks import marks
from tests.fakes.model_script import answer, calls, reply, text, tool_call
from tests.fakes.model_server import ModelServer
from tests.fakes.runners import Runners

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 30.0


class Watched:
    """A conversation followed while processes come and go."""

    def __init__(self, user: User, conversation: Conversation) -> None:
        self.user = user
        self.conversation = conversation
        self.events: list[dict[str, Any]] = []
        self._journal: AsyncGenerator[dict[str, Any], None] = follow(conversation.pk, 0)

    async def send(self, words: str) -> None:
        frame = frames.Send(type="send", client_id=uuid.uuid4().hex, text=words, tools=True)
        await in_database(turns.send, self.user.pk, self.conversation.pk, frame)

    async def until(self, kind: str) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            while True:
                event = await anext(self._journal)
                self.events.append(event)
                if event["type"] == kind:
                    return event

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["type"] == kind]


@pytest.fixture
async def watched(person: User, server: ModelServer) -> Watched:
    model = await in_database(model_at, server.base_url)
    return Watched(person, await Conversation.objects.acreate(user=person, model=model))


async def until_marked(runners: Runners, count: int) -> None:
    async with asyncio.timeout(PATIENCE):
        # The mark is made by another process.
        while sum(marks(runners.marks).values()) < count:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_a_pending_permission_is_still_pending_and_nothing_of_its_batch_ran(
    runners: Runners, server: ModelServer, watched: Watched
) -> None:
    await PermissionRule.objects.acreate(tool_pattern="mark", action="ask", reason="It writes.")
    server.script(calls(tool_call("mark", {"text": "a"}), tool_call("peek", {"text": "b"}, id="b", index=1)))
    server.script(answer("Done."))
    first = runners.fork()
    await watched.send("Go")
    asked = await watched.until("permission_request")
    runners.kill(first)
    runners.fork()
    started = await watched.until("turn_started")
    assert started["epoch"] == 2
    assert (await Request.objects.aget()).state == "pending"
    assert not marks(runners.marks)
    about = {"request": asked["id"], "arguments_hash": asked["arguments_hash"], "decision": "allow_once"}
    decide = frames.Decide(type="decide", **about)
    await in_database(requests.decide, watched.user.pk, watched.conversation.pk, decide)
    assert (await watched.until("turn_finished"))["reason"] == "completed"
    assert [message["content"] for message in told(server, 1)[-2:]] == ["mark a", "peek b"]
    assert set(marks(runners.marks).values()) == {1}
    assert len(watched.of("permission_request")) == 1


async def test_an_answer_given_while_nobody_ran_the_turn_is_taken_up(
    runners: Runners, server: ModelServer, watched: Watched
) -> None:
    server.script(calls(tool_call("query", {"text": "said"})), answer("Done."))
    first = runners.fork()
    await watched.send("Go")
    asked = await watched.until("question")
    runners.kill(first)
    said = frames.Answer(type="answer", request=asked["id"], text="yes")
    await in_database(requests.answer, watched.user.pk, watched.conversation.pk, said)
    runners.fork()
    await watched.until("turn_finished")
    assert told(server, 1)[-1]["content"] == "said: yes"
    assert len(watched.of("question")) == 1


async def test_what_was_cut_while_it_wrote_is_not_run_again_and_says_so(
    runners: Runners, server: ModelServer, watched: Watched
) -> None:
    slow = {"text": "x", "seconds": 60}
    server.script(calls(tool_call("mark", slow), tool_call("mark", {"text": "y"}, id="b", index=1)), answer("Hm."))
    first = runners.fork()
    await watched.send("Go")
    await until_marked(runners, 1)
    runners.kill(first)
    runners.fork()
    assert (await watched.until("turn_finished"))["reason"] == "completed"
    results = [message["content"] for message in told(server, 1)[-2:]]
    assert all("may have run" in result for result in results)
    assert sum(marks(runners.marks).values()) == 1
    assert [event["metadata"]["status"] for event in watched.of("tool_result")] == ["interrupted", "interrupted"]
    assert await AgentToolLog.objects.filter(status="interrupted").acount() == 2


async def test_what_only_reads_is_run_again_and_what_had_finished_is_not(
    runners: Runners, server: ModelServer, watched: Watched
) -> None:
    held = calls(
        tool_call("mark", {"text": "once"}),
        tool_call("peek", {"text": "again", "seconds": 1.0}, id="b", index=1),
    )
    server.script(held, answer("Done."))
    first = runners.fork()
    await watched.send("Go")
    await until_marked(runners, 2)
    runners.kill(first)
    runners.fork()
    assert (await watched.until("turn_finished"))["reason"] == "completed"
    assert [message["content"] for message in told(server, 1)[-2:]] == ["mark once", "peek again"]
    assert sorted(marks(runners.marks).values()) == [1, 2]
    assert len(watched.of("tool_result")) == 2


async def test_a_cut_response_is_asked_for_again(runners: Runners, server: ModelServer, watched: Watched) -> None:
    gate = Gate()
    server.script(reply(text("Half of"), [gate]), answer("The whole."))
    first = runners.fork()
    await watched.send("Go")
    await watched.until("text_delta")
    runners.kill(first)
    runners.fork()
    await watched.until("turn_finished")
    assert [event["attempt"] for event in watched.of("step_started")] == [1, 2]
    stored = await Message.objects.aget(role="assistant")
    assert (stored.content, stored.interrupted) == ("The whole.", False)


async def test_a_stop_asked_of_a_dead_process_is_obeyed_by_the_next(
    runners: Runners, server: ModelServer, watched: Watched
) -> None:
    gate = Gate()
    server.script(reply(text("Half of"), [gate]))
    first = runners.fork()
    await watched.send("Go")
    turn = (await watched.until("text_delta"))["turn"]
    runners.kill(first)
    await in_database(turns.stop, watched.user.pk, watched.conversation.pk, uuid.UUID(turn))
    runners.fork()
    assert (await watched.until("turn_finished"))["reason"] == "stopped"
    assert len(server.requests) == 1


async def test_a_turn_that_kills_its_runners_is_given_up(
    runners: Runners, server: ModelServer, watched: Watched
) -> None:
    await watched.send("Go")
    await Turn.objects.aupdate(state="running", epoch=11)
    runners.fork()
    assert (await watched.until("turn_finished"))["reason"] == "failed"
    assert watched.of("error")[0]["code"] == "interrupted_too_often"


async def test_a_tool_that_is_gone_meanwhile_ends_its_calls_only(
    runners: Runners, server: ModelServer, watched: Watched
) -> None:
    server.script(calls(tool_call("peek", {"text": "x", "seconds": 60})), answer("Fine without."))
    first = runners.fork()
    await watched.send("Go")
    await until_marked(runners, 1)
    runners.kill(first)
    await AgentTool.objects.filter(slug="peek").aupdate(enabled=False)
    runners.fork()
    assert (await watched.until("turn_finished"))["reason"] == "completed"
    assert "may have run" in told(server, 1)[-1]["content"]


async def test_of_several_processes_one_runs_a_turn(runners: Runners, server: ModelServer, person: User) -> None:
    count = 6
    server.respond = lambda _: answer("Done.")
    model = await in_database(model_at, server.base_url)
    conversations = [await Conversation.objects.acreate(user=person, model=model) for _ in range(count)]
    frame = frames.Send(type="send", client_id="a", text="Go")
    for conversation in conversations:
        await in_database(turns.send, person.pk, conversation.pk, frame)
    for _ in range(3):
        runners.fork()
    for conversation in conversations:
        followed = Watched(person, conversation)
        await followed.until("turn_finished")
        assert len(followed.of("turn_finished")) == 1
    assert await Message.objects.filter(role="assistant").acount() == count

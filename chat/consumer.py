"""One socket of one conversation: accepts, decodes, checks, hands over, follows; nothing that takes long is awaited."""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from collections.abc import Coroutine
from contextlib import aclosing, suppress
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer

from agent_tools.contract.errors import AgentToolsError, InvalidInputError, Problem
from chat import frames
from chat.database import in_database
from chat.journal.follow import follow
from chat.journal.wake import hub
from chat.ports.process import LEAVING, process
from chat.services import requests, sessions, turns
from chat.services.access import owns

logger = logging.getLogger(__name__)
UNAUTHENTICATED, UNKNOWN, BROKEN = 4401, 4404, 1011
MOST_WAITING = 100
LOOK_SECONDS = 30.0
LONGEST_CLIENT_ID = 64
END = ""
LOST = "Something went wrong inside this site; it has been logged. Try again."


class ConversationConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # Channels has no types
    """The socket `/ws/conversations/<uuid>/`. Each frame is checked for ownership; an error is answered, not punished.

    Closes with 4401 when the person is not, or no longer, signed in, 4404 for a conversation that is not theirs, and
    4012 when the process ends and the client should connect anew.
    """

    channel_layer_alias = "none: news come through the journal"

    async def connect(self) -> None:
        self.conversation_id: uuid.UUID = self.scope["url_route"]["kwargs"]["conversation_id"]
        self.user_id: int = self.scope["user"].pk or 0
        self.session_key: str | None = self.scope["session"].session_key
        self.process = process()
        self._frames: asyncio.Queue[str] = asyncio.Queue(MOST_WAITING)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._gone = False
        await self.accept()
        code = LEAVING if self.process.leaving else await self._refusal()
        if code is not None:
            await self.close(code)
            return
        self.process.sockets.add(self.shut)
        self._spawn("frames", self._obey_all())
        self._spawn("guard", self._guard())

    async def disconnect(self, code: int) -> None:
        self.process.sockets.discard(self.shut)
        self._gone = True
        for name, task in self._tasks.items():
            if name != "frames":
                task.cancel()
        # What the person said before the connection was lost still counts.
        with suppress(asyncio.QueueFull):
            self._frames.put_nowait(END)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if text_data is None:
            await self._answer(frames.FrameError([Problem("", "a frame must be text.")]))
            return
        try:
            self._frames.put_nowait(text_data)
        except asyncio.QueueFull:
            error = frames.FrameError([Problem("", "too many frames at once; wait.")], reason="too_many_frames")
            await self._answer(error)

    async def shut(self, code: int) -> None:
        """Close the socket, whatever state it is in."""
        with suppress(Exception):
            await self.close(code)

    async def _obey_all(self) -> None:
        while not (self._gone and self._frames.empty()):
            text = await self._frames.get()
            try:
                if text != END:
                    await self._obey(frames.parse(text))
            except AgentToolsError as error:
                await self._answer(error, client_id=_client_id(text))
            except Exception:
                logger.exception("A frame of conversation %s failed.", self.conversation_id)
                await self._answer(AgentToolsError(LOST, reason="internal_error"), client_id=_client_id(text))

    async def _obey(self, frame: frames.AnyFrame) -> None:
        code = await self._refusal()
        if code is not None:
            await self.shut(code)
            return
        match frame:
            case frames.Sync():
                if not self._gone:
                    self._spawn("follow", self._follow(frame.after))
            case frames.Send():
                await self._start(turns.send, frame)
            case frames.Edit():
                await self._start(turns.edit, frame)
            case frames.Regenerate():
                await self._start(turns.regenerate, frame)
            case frames.Stop():
                await in_database(turns.stop, self.user_id, self.conversation_id, frame.turn)
            case frames.Answer():
                await in_database(requests.answer, self.user_id, self.conversation_id, frame)
            case frames.Decide():
                await in_database(requests.decide, self.user_id, self.conversation_id, frame)

    async def _start(self, service: Any, frame: frames.AnyFrame) -> None:
        await in_database(service, self.user_id, self.conversation_id, frame)
        self.process.runner.start_next(self.conversation_id)

    async def _follow(self, after: int) -> None:
        async with aclosing(follow(self.conversation_id, after)) as events:
            async for event in events:
                await self._say(event)

    async def _answer(self, error: AgentToolsError, *, client_id: str = "") -> None:
        told = {"type": "error", "code": error.reason, "message": error.message}
        if isinstance(error, InvalidInputError) and error.problems:
            told["field"] = error.problems[0].field
        if client_id:
            told["client_id"] = client_id
        await self._say(told)

    async def _say(self, message: dict[str, Any]) -> None:
        if not self._gone:
            await self.send(text_data=json.dumps(message, ensure_ascii=False, separators=(",", ":")))

    async def _guard(self) -> None:
        """Close the socket once the person is signed out or disabled, or the conversation is gone."""
        with hub().listening(sessions.topic_of(self.user_id)) as ear:
            while True:
                heard = await ear.wait(LOOK_SECONDS)
                gone = heard and ear.facts.get("signed_out") == self.session_key
                code = UNAUTHENTICATED if gone else await self._refusal()
                if code is not None:
                    await self.shut(code)
                    return

    async def _refusal(self) -> int | None:
        """Return the code with which this socket has to close, or none."""
        if not self.user_id or await in_database(sessions.signed_in, self.session_key) != self.user_id:
            return UNAUTHENTICATED
        return None if await in_database(owns, self.user_id, self.conversation_id) else UNKNOWN

    def _spawn(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Run one of this socket's tasks, in place of an older one of that name."""
        before = self._tasks.get(name)
        if before is not None:
            before.cancel()
        self._tasks[name] = asyncio.create_task(self._carefully(work))

    async def _carefully(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:
            logger.exception("The socket of conversation %s broke.", self.conversation_id)
            await self.shut(BROKEN)


def _client_id(text: str) -> str:
    """Return the id by which the client knows a frame that was refused, if it has one."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    found = data.get("client_id") if isinstance(data, dict) else None
    return found if isinstance(found, str) and len(found) <= LONGEST_CLIENT_ID else ""

"""Wakes whoever waits for news, in this process at once and in others through the channel layer.

News may be lost: they only say that there is something to read. Whoever waits also looks by itself now and then.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from channels.layers import InMemoryChannelLayer, get_channel_layer

logger = logging.getLogger(__name__)
RETRY_SECONDS = 2.0
QUIET_SECONDS = 60.0
Facts = Mapping[str, Any]


class Ear:
    """One waiter for the news of a topic; `facts` holds the latest."""

    def __init__(self) -> None:
        self.facts: Facts = {}
        self._news = asyncio.Event()

    def hear(self, facts: Facts) -> None:
        self.facts = facts
        self._news.set()

    async def wait(self, seconds: float) -> bool:
        """Return true as soon as there are news since the last wait, false when the time is over without any."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()
        heard = self._news.is_set()
        self._news.clear()
        return heard


class Hub:
    """The ears of one event loop, and its connection to other processes."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._ears: dict[str, set[Ear]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._channel = ""
        self._quiet_until = loop.time()
        layer = get_channel_layer()
        self._layer: Any = None if layer is None or isinstance(layer, InMemoryChannelLayer) else layer
        if self._layer is not None:
            self._spawn(self._listen())

    @contextmanager
    def listening(self, topic: str) -> Iterator[Ear]:
        """Hear the news of a topic inside the block."""
        ear = Ear()
        ears = self._ears.setdefault(topic, set())
        if not ears:
            self._spawn(self._join(topic))
        ears.add(ear)
        try:
            yield ear
        finally:
            ears.discard(ear)
            if not ears and self._ears.get(topic) is ears:
                del self._ears[topic]
                self._spawn(self._leave(topic))

    def deliver(self, topic: str, facts: Facts) -> None:
        """Give news to the ears of this loop."""
        for ear in self._ears.get(topic, ()):
            ear.hear(facts)

    def send(self, topic: str, facts: Facts) -> None:
        """Give news to the ears of this loop and to other processes."""
        self.deliver(topic, facts)
        self._spawn(self._tell(topic, facts))

    async def close(self) -> None:
        """Leave the channel layer in good order. One whose tasks are all cut off at once may wait for itself."""
        await asyncio.sleep(0)  # each has begun
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._layer is not None:
            await self._layer.flush()

    def _spawn(self, work: Any) -> None:
        if self._layer is None:
            work.close()
            return
        task = self.loop.create_task(self._quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _quietly(self, work: Any) -> None:
        try:
            await work
        except Exception as error:  # noqa: BLE001 - the layer's own errors are of many kinds, and news may be lost
            if self.loop.time() >= self._quiet_until:
                self._quiet_until = self.loop.time() + QUIET_SECONDS
                logger.warning("The channel layer loses news: %s", error)

    async def _join(self, topic: str) -> None:
        if self._channel:
            await self._layer.group_add(topic, self._channel)

    async def _leave(self, topic: str) -> None:
        if self._channel and topic not in self._ears:
            await self._layer.group_discard(topic, self._channel)

    async def _tell(self, topic: str, facts: Facts) -> None:
        await self._layer.group_send(topic, {"type": "news", "topic": topic, "facts": dict(facts)})

    async def _listen(self) -> None:
        while True:
            try:
                self._channel = await self._layer.new_channel()
                for topic in list(self._ears):
                    await self._layer.group_add(topic, self._channel)
                while True:
                    message = await self._layer.receive(self._channel)
                    self.deliver(message["topic"], message["facts"])
            except Exception as error:  # noqa: BLE001 - as above; whoever waits looks by itself meanwhile
                self._channel = ""
                logger.warning("The channel layer cannot be heard: %s", error)
                await asyncio.sleep(RETRY_SECONDS)


_hubs: dict[asyncio.AbstractEventLoop, Hub] = {}


def hub() -> Hub:
    """Return the hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        for old in [known for known in _hubs if known.is_closed()]:
            del _hubs[old]
        _hubs[loop] = Hub(loop)
    return _hubs[loop]


async def leave() -> None:
    """Close the hub of the running event loop, if it has one."""
    known = _hubs.pop(asyncio.get_running_loop(), None)
    if known is not None:
        await known.close()


def announce(topic: str, facts: Facts) -> None:
    """Tell news from whichever thread; never waits and never raises."""
    for loop, known in list(_hubs.items()):
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(known.send, topic, facts)

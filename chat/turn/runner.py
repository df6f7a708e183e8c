"""The turns of this process: started, tended, stopped, taken over, and left in good order."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import uuid
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from agent_tools.contract.interrupts import StopSignal
from chat.conf import conf
from chat.database import in_database
from chat.journal.fold import fold_next
from chat.journal.store import Held
from chat.journal.wake import Ear, hub
from chat.services import leases
from chat.turn.carry import carry_out
from chat.turn.clock import TurnClock
from chat.turn.work import PortsBuilder, StopReason

logger = logging.getLogger(__name__)
LOOK_SECONDS = 0.5
MOST_FOLDED = 20


@dataclass(slots=True, eq=False)
class Running:
    """One turn of this process."""

    held: Held
    clock: TurnClock
    stop: StopSignal = field(default_factory=StopSignal)
    leave: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class Runner:
    """Runs turns as tasks of one event loop, whichever socket asked for them. `begin` may be called any time."""

    def __init__(self, ports: PortsBuilder) -> None:
        self.name = f"{socket.gethostname()[:60]}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self._ports = ports
        self._turns: dict[uuid.UUID, Running] = {}
        self._errands: set[asyncio.Task[None]] = set()
        self._tending: asyncio.Task[None] | None = None
        self._draining = False

    @property
    def running(self) -> tuple[Running, ...]:
        """The turns that run here."""
        return tuple(self._turns.values())

    def begin(self) -> None:
        """Tend the turns of this process, and look for turns that nobody runs, from now on."""
        if self._tending is None or self._tending.done():
            self._tending = asyncio.create_task(self._tend())

    def start_next(self, conversation_id: uuid.UUID) -> None:
        """Start the conversation's next waiting turn, if none of its turns runs; returns at once."""
        if not self._draining:
            self.begin()
            self._errand(self._claim(conversation_id))

    async def drain(self, seconds: float) -> None:
        """Leave every turn where nothing is lost: answers that stream at once, running tools when they are through,
        or after `seconds` as they are. The next sweep of another process takes them over.
        """
        self._draining = True
        for running in self._turns.values():
            running.leave.set()
        until = asyncio.get_running_loop().time() + seconds
        while busy := [one.task for one in self._turns.values() if one.task and not one.clock.waiting]:
            left = until - asyncio.get_running_loop().time()
            if left <= 0:
                break
            await asyncio.wait(busy, timeout=min(left, LOOK_SECONDS))
        for running in list(self._turns.values()):
            await in_database(leases.release, running.held)

    async def close(self) -> None:
        """Cancel all that still runs here."""
        self._draining = True
        tasks = [one.task for one in self._turns.values() if one.task]
        tasks += [*self._errands, *([self._tending] if self._tending else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _errand(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def _claim(self, conversation_id: uuid.UUID) -> None:
        try:
            held = await in_database(leases.claim_next, conversation_id, self.name)
        except Exception:
            logger.exception("The next turn of %s could not be started; a sweep will.", conversation_id)
            return
        if held is not None:
            self._run(held)

    def _run(self, held: Held) -> None:
        running = Running(held, TurnClock(conf.turn_seconds))
        if self._draining:
            running.leave.set()
        self._turns[held.turn_id] = running
        running.task = asyncio.create_task(self._carry(running), name=f"turn {held.turn_id}")
        self._poke()

    async def _carry(self, running: Running) -> None:
        held = running.held
        try:
            await carry_out(held, running.stop, running.leave, running.clock, self._ports)
        except Exception:
            logger.exception("Turn %s could not be brought to its end; it will be taken over.", held.turn_id)
        finally:
            if self._turns.get(held.turn_id) is running:
                del self._turns[held.turn_id]
            self.start_next(held.conversation_id)  # even when the last look let go of a turn that had just ended

    def _poke(self) -> None:
        hub().deliver(leases.TURNS, {})

    async def _tend(self) -> None:
        loop = asyncio.get_running_loop()
        sweep_at = renew_at = loop.time()
        with hub().listening(leases.TURNS) as ear:
            while True:
                now = loop.time()
                if now >= renew_at:
                    await self._safely(self._renew)
                    renew_at = now + conf.lease_seconds / 3
                if now >= sweep_at and not self._draining:
                    await self._safely(self._sweep)
                    sweep_at = now + conf.sweep_seconds
                await self._safely(self._look)
                await self._pause(ear, min(sweep_at, renew_at) - loop.time())

    async def _pause(self, ear: Ear, left: float) -> None:
        await ear.wait(max(0.01, min(left, LOOK_SECONDS) if self._turns else left))

    async def _safely(self, errand: Callable[[], Awaitable[None]]) -> None:
        try:
            await errand()
        except Exception:
            logger.exception("The running turns could not be tended; it is tried again.")

    async def _look(self) -> None:
        """Obey stops that were asked for anywhere, and let go of turns that are held elsewhere by now."""
        asked = dict(self._turns)  # a turn that is claimed meanwhile is not missing
        if not asked:
            return
        sights = await in_database(leases.look, self.name, list(asked))
        for turn_id, running in asked.items():
            sight = sights.get(turn_id)
            if sight is None or sight.epoch != running.held.epoch:
                if running.task is not None:
                    running.task.cancel()
            elif sight.stop_requested:
                running.stop.set(StopReason.PERSON)

    async def _renew(self) -> None:
        if self._turns:
            await in_database(leases.renew, self.name, list(self._turns))

    async def _sweep(self) -> None:
        work = await in_database(leases.open_work)
        for turn_id in work.abandoned:
            if turn_id in self._turns:
                continue
            held = await in_database(leases.take_over, turn_id, self.name)
            if held is not None:
                logger.info("Turn %s is taken over (epoch %s).", held.turn_id, held.epoch)
                self._run(held)
        for conversation_id in work.startable:
            self.start_next(conversation_id)
        for _ in range(MOST_FOLDED):
            if not await in_database(fold_next):
                break

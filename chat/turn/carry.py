"""Carries a held turn to its end, whatever goes wrong on the way."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial

from django.db import InterfaceError, OperationalError

from agent_tools.contract.errors import AgentToolsError
from agent_tools.contract.events import NotificationEvent
from agent_tools.contract.interrupts import StopSignal
from chat.context.history import neutral
from chat.database import in_database
from chat.journal.recorder import Recorder
from chat.journal.store import Held, SupersededError
from chat.models import Conversation, Turn, TurnReason
from chat.services.endings import finish
from chat.services.leases import release
from chat.services.models import connect, origin_of
from chat.turn.clock import TurnClock
from chat.turn.loop import run_loop
from chat.turn.position import load
from chat.turn.work import EndedError, LeftError, PortsBuilder, StopReason, Work

logger = logging.getLogger(__name__)
ACKNOWLEDGE_SECONDS = 0.4
BUG = "Something went wrong inside this site; it has been logged. Try again."


async def carry_out(held: Held, stop: StopSignal, leave: asyncio.Event, clock: TurnClock, ports: PortsBuilder) -> None:
    """Run a turn until it has ended or is left for another runner.

    A turn whose database cannot be reached is left as it stands: its lease runs out, and it is taken over.
    """
    async with Recorder(held) as recorder:
        try:
            await _run(held, recorder, stop, leave, clock, ports)
        except LeftError:
            with suppress(SupersededError):
                await recorder.flush()
            await in_database(release, held)
        except SupersededError:
            logger.info("Turn %s goes on elsewhere, or is gone.", held.turn_id)
        except (OperationalError, InterfaceError):
            raise
        except EndedError as end:
            await _end(recorder, end)
        except AgentToolsError as error:
            await _end(recorder, EndedError(TurnReason.FAILED, error.reason, error.message))
        except Exception:
            logger.exception("Turn %s failed unexpectedly.", held.turn_id)
            await _end(recorder, EndedError(TurnReason.FAILED, "internal_error", BUG))


async def _run(
    held: Held,
    recorder: Recorder,
    stop: StopSignal,
    leave: asyncio.Event,
    clock: TurnClock,
    ports: PortsBuilder,
) -> None:
    position = await in_database(load, held)
    clock.go_on_from(position.spent)
    watchers = [asyncio.ensure_future(_watch(clock, stop)), asyncio.ensure_future(_acknowledge(stop, recorder))]
    try:
        async with connect(position.row) as model:
            work = Work(
                held=held,
                user_id=position.user_id,
                row=position.row,
                origin=origin_of(position.row),
                thinking=position.thinking,
                model=model,
                recorder=recorder,
                clock=clock,
                stop=stop,
                leave=leave,
                tools=position.tools,
                history=neutral(position.branch),
                step=position.step,
            )
            work.ports = ports(work)
            await run_loop(work, position.pending)
    finally:
        for watcher in watchers:
            watcher.cancel()


async def _watch(clock: TurnClock, stop: StopSignal) -> None:
    await clock.run_out()
    stop.set(StopReason.OUT_OF_TIME)


async def _acknowledge(stop: StopSignal, recorder: Recorder) -> None:
    """Tell the person that the stop was heard, when what runs has to finish first."""
    await stop.wait()
    await asyncio.sleep(ACKNOWLEDGE_SECONDS)
    words = "Stopping: what is being written or sent just now is finished first."
    with suppress(SupersededError):
        await recorder.emit(NotificationEvent(level="info", message=words, details={"code": "stopping"}))


async def _end(recorder: Recorder, end: EndedError) -> None:
    try:
        await recorder.record(write=partial(_finish, end=end))
    except SupersededError:
        logger.info("Turn %s had ended already.", recorder.held.turn_id)


def _finish(conversation: Conversation, turn: Turn, *, end: EndedError) -> None:
    finish(conversation, turn, end.reason, error_code=end.code, error_message=end.message)

"""Tool types whose work a test can watch and hold: who is inside, who began, who was cancelled."""

from __future__ import annotations

import asyncio
import threading
from typing import ClassVar

from agent_tools.contract.context import ToolContext
from agent_tools.contract.errors import ToolError
from agent_tools.contract.executor import BlockingToolExecutor, ToolConfig, ToolExecutor, ToolInput
from agent_tools.contract.interrupts import Interrupt
from agent_tools.contract.result import ToolResult

PATIENCE = 20.0
"""Seconds after which a test that waits for something gives up."""


class WorkerConfig(ToolConfig):
    """The limit of one call in seconds; 0 leaves it to the platform."""

    limit: float = 0


class WorkerInput(ToolInput):
    """`meet` waits until so many are inside, `hold` until the test releases all, `fail` raises."""

    name: str = "worker"
    safe: bool = True
    read_only: bool = False
    meet: int = 0
    hold: bool = False
    fail: bool = False


class Worker(ToolExecutor[WorkerConfig, WorkerInput]):
    """Works in the event loop and ends when it is cancelled. A test gets the instance from the registry."""

    Config = WorkerConfig
    Input = WorkerInput
    title = "Worker"
    summary = "Works."

    def __init__(self) -> None:
        self.inside: list[str] = []
        self.log: list[str] = []
        self.most_inside = 0
        self._changed: asyncio.Condition | None = None
        self._released = False

    @property
    def changed(self) -> asyncio.Condition:
        if self._changed is None:
            self._changed = asyncio.Condition()
        return self._changed

    async def until_inside(self, count: int) -> None:
        """Return once so many calls are inside together."""
        async with asyncio.timeout(PATIENCE), self.changed:
            await self.changed.wait_for(lambda: len(self.inside) >= count)

    async def release(self) -> None:
        """Let go all that are held, now and later."""
        self._released = True
        async with self.changed:
            self.changed.notify_all()

    def timeout(self, config: WorkerConfig) -> float | None:
        return config.limit or None

    def is_read_only(self, tool_input: WorkerInput, config: WorkerConfig) -> bool:
        return tool_input.read_only

    def is_concurrency_safe(self, tool_input: WorkerInput, config: WorkerConfig) -> bool:
        return tool_input.safe

    async def execute(self, tool_input: WorkerInput, config: WorkerConfig, context: ToolContext) -> ToolResult:
        name = tool_input.name
        self.log.append(f"{name} began")
        self.inside.append(name)
        self.most_inside = max(self.most_inside, len(self.inside))
        try:
            await self._work(tool_input)
        except asyncio.CancelledError:
            self.log.append(f"{name} cancelled")
            raise
        finally:
            self.inside.remove(name)
        self.log.append(f"{name} ended")
        return ToolResult.ok({"name": name}, f"{name} done")

    async def _work(self, tool_input: WorkerInput) -> None:
        async with self.changed:
            self.changed.notify_all()
            if tool_input.meet:
                await self.changed.wait_for(lambda: self.most_inside >= tool_input.meet)
            if tool_input.hold:
                await self.changed.wait_for(lambda: self._released)
        if tool_input.fail:
            raise ToolError(f"{tool_input.name} could not do it.", reason="could_not")


class SleeperInput(ToolInput):
    seconds: float = 0.1
    name: str = ""
    safe: bool = True


class Sleeper(ToolExecutor[WorkerConfig, SleeperInput]):
    """Takes its time; for measurements."""

    Config = WorkerConfig
    Input = SleeperInput
    title = "Sleeper"
    summary = "Sleeps."

    def is_read_only(self, tool_input: SleeperInput, config: WorkerConfig) -> bool:
        return True

    def is_concurrency_safe(self, tool_input: SleeperInput, config: WorkerConfig) -> bool:
        return tool_input.safe

    async def execute(self, tool_input: SleeperInput, config: WorkerConfig, context: ToolContext) -> ToolResult:
        await asyncio.sleep(tool_input.seconds)
        return ToolResult.ok(None, "slept")


class Writer(Worker):
    """Finishes before it yields to a stop."""

    interrupt = Interrupt.BLOCK


class Critical(Worker):
    """Takes its siblings with it when it fails."""

    causes_sibling_abort = True


class Stubborn(Worker):
    """Goes on when it is cancelled."""

    async def _work(self, tool_input: WorkerInput) -> None:
        work = asyncio.ensure_future(super()._work(tool_input))
        while not work.done():
            try:
                await asyncio.shield(work)
            except asyncio.CancelledError:
                self.log.append(f"{tool_input.name} would not be cancelled")


class Threaded(BlockingToolExecutor[WorkerConfig, WorkerInput]):
    """Works in a thread, held until the test releases it."""

    Config = WorkerConfig
    Input = WorkerInput
    title = "Threaded"
    summary = "Works in a thread."
    interrupt: ClassVar[Interrupt] = Interrupt.CANCEL

    def __init__(self) -> None:
        self.inside = threading.Event()
        self.released = threading.Event()
        self.ended = threading.Event()
        self.threads: set[str] = set()

    def timeout(self, config: WorkerConfig) -> float | None:
        return config.limit or None

    def is_concurrency_safe(self, tool_input: WorkerInput, config: WorkerConfig) -> bool:
        return tool_input.safe

    def execute_blocking(self, tool_input: WorkerInput, config: WorkerConfig, context: ToolContext) -> ToolResult:
        self.threads.add(threading.current_thread().name)
        context.progress(0.5, "half")
        self.inside.set()
        if tool_input.hold and not self.released.wait(PATIENCE):
            raise TimeoutError
        self.ended.set()
        if tool_input.fail:
            raise SystemExit(3)
        return ToolResult.ok({"name": tool_input.name})


class ThreadedWriter(Threaded):
    """Works in a thread and finishes before it yields to a stop."""

    interrupt = Interrupt.BLOCK

from __future__ import annotations

import asyncio
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import pytest

from agent_tools.contract.calls import CallStatus, Ran
from agent_tools.contract.interrupts import StopSignal
from agent_tools.pipeline import threads
from agent_tools.services.execution import run_batch
from tests.fakes.batches import call, executor, make_tool, make_tools, reasons, row_of, run, run_one, scope
from tests.fakes.ports import FakeAsker, fake_ports
from tests.fakes.workers import Stubborn, Threaded, ThreadedWriter, Worker, Writer

pytestmark = pytest.mark.django_db(transaction=True)
SHORT = {"limit": 0.05}


class Listening(logging.Handler):
    """Waits until the server's log says something, whichever thread says it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        self._heard = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        if self._text in record.getMessage():
            self._heard.set()

    def wait(self) -> bool:
        return self._heard.wait(20)

    def __enter__(self) -> Self:
        logging.getLogger("agent_tools").addHandler(self)
        return self

    def __exit__(self, *_error: object) -> None:
        logging.getLogger("agent_tools").removeHandler(self)


async def test_a_call_ends_when_its_time_is_up() -> None:
    await make_tool("worker", config=SHORT)
    result = await run_one("worker", hold=True)
    assert (result.status, result.reason, result.ran) == (CallStatus.TIMEOUT, "timeout", Ran.MAYBE)
    assert "its time was up (0.05 s). It may have run in part" in result.content
    assert executor(Worker).log == ["worker began", "worker cancelled"]


async def test_a_call_that_changes_nothing_may_be_repeated_after_a_timeout() -> None:
    await make_tool("worker", config=SHORT)
    assert "can be called again" in (await run_one("worker", hold=True, read_only=True)).content


async def test_the_time_limit_ends_writes_too() -> None:
    await make_tool("writer", config=SHORT)
    assert (await run_one("writer", hold=True)).reason == "timeout"
    assert executor(Writer).inside == []


async def test_a_stopped_write_still_has_its_time_limit() -> None:
    await make_tool("writer", config={"limit": 0.2})
    stop = StopSignal()
    work = asyncio.ensure_future(run_batch([call("writer", hold=True)], scope(), stop=stop))
    await executor(Writer).until_inside(1)
    stop.set()
    assert reasons(await work) == ["timeout"]


async def test_the_platforms_limit_holds_where_the_type_sets_none(settings: Any) -> None:
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "TOOL_TIMEOUT": 0.05}
    await make_tool("worker")
    assert (await run_one("worker", hold=True)).reason == "timeout"


async def test_work_that_will_not_be_cancelled_is_left_behind_and_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent_tools.pipeline.work.GRACE", 0.05)
    await make_tool("stubborn", config=SHORT)
    result = await run_one("stubborn", hold=True)
    assert (result.status, result.reason, result.ran) == (CallStatus.TIMEOUT, "still_running", Ran.MAYBE)
    assert "still runs: its outcome is unknown" in result.content
    stubborn = executor(Stubborn)
    with Listening("ended after it was given up") as heard:
        await stubborn.release()
        assert await asyncio.to_thread(heard.wait)


async def test_blocking_work_runs_in_a_thread_of_its_own_pool() -> None:
    await make_tools("threaded")
    assert (await run_one("threaded")).content == '{\n  "name": "worker"\n}'
    assert all(name.startswith("tool_") for name in executor(Threaded).threads)


async def test_blocking_work_that_outlives_its_time_is_still_running() -> None:
    await make_tool("threaded", config=SHORT)
    [outcome] = await run(call("threaded", hold=True))
    assert (outcome.result.status, outcome.result.reason) == (CallStatus.TIMEOUT, "still_running")
    with Listening("ended after it was given up: it succeeded") as heard:
        executor(Threaded).released.set()
        assert await asyncio.to_thread(heard.wait)
    row = await row_of(outcome.call.id)
    assert (row.status, row.reason, row.output) == ("timeout", "still_running", None)


async def test_a_stop_does_not_wait_for_blocking_work_that_yields() -> None:
    await make_tools("threaded", "threadedwriter")
    yielding, writing, stop = executor(Threaded), executor(ThreadedWriter), StopSignal()
    calls = [call("threaded", hold=True), call("threadedwriter", hold=True)]
    work = asyncio.ensure_future(run_batch(calls, scope(), stop=stop))
    await asyncio.to_thread(yielding.inside.wait, 20)
    await asyncio.to_thread(writing.inside.wait, 20)
    stop.set()
    writing.released.set()
    outcomes = await work
    yielding.released.set()
    assert reasons(outcomes) == ["still_running", "ok"]
    assert outcomes[0].result.status is CallStatus.CANCELLED


async def test_blocking_work_that_never_got_a_thread_did_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    one = ThreadPoolExecutor(max_workers=1)
    monkeypatch.setattr(threads, "tools", one)
    await make_tool("threaded", config={"limit": 0.2})
    outcomes = await run(call("threaded", hold=True), call("threaded", name="waits"))
    executor(Threaded).released.set()
    one.shutdown()
    assert reasons(outcomes) == ["still_running", "timeout"]
    assert outcomes[1].result.ran is Ran.NO


@pytest.mark.parametrize("kind", ["bug", "exit", "cancel", "safety", "permissions", "read_only"])
async def test_a_bug_is_one_failed_call_told_vaguely_and_logged_whole(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    await make_tools("faulty", "echo")
    [bug, fine] = await run(call("faulty", kind=kind), call("echo", text="x"))
    assert (bug.result.status, bug.result.reason) == (CallStatus.ERROR, "internal_error")
    assert "division" not in bug.result.content
    assert "Traceback" in caplog.text or kind == "cancel"
    assert fine.result.success
    assert (await row_of(bug.call.id)).status == "error"


@pytest.mark.parametrize("kind", ["safety", "permissions", "read_only"])
async def test_a_bug_before_the_run_says_that_nothing_ran(kind: str) -> None:
    await make_tools("faulty")
    assert (await run_one("faulty", kind=kind)).ran is Ran.NO


async def test_a_tool_that_exits_in_a_thread_does_not_end_the_process() -> None:
    await make_tools("threaded")
    assert (await run_one("threaded", fail=True)).reason == "internal_error"


@pytest.mark.parametrize(
    ("kind", "status", "reason", "ran"),
    [
        ("tool", CallStatus.ERROR, "broken", Ran.YES),
        ("timeout", CallStatus.TIMEOUT, "timeout", Ran.YES),
        ("refused", CallStatus.ERROR, "outside", Ran.NO),
        ("unavailable", CallStatus.ERROR, "unavailable", Ran.YES),
        ("denied", CallStatus.ERROR, "bad_result", Ran.YES),
        ("nothing", CallStatus.ERROR, "bad_result", Ran.YES),
        ("text", CallStatus.ERROR, "bad_result", Ran.YES),
        ("content", CallStatus.ERROR, "bad_result", Ran.YES),
        ("metadata", CallStatus.ERROR, "bad_result", Ran.YES),
    ],
)
async def test_failures_keep_their_reason(kind: str, status: CallStatus, reason: str, ran: Ran) -> None:
    await make_tools("faulty")
    result = await run_one("faulty", kind=kind)
    assert (result.success, result.status, result.reason, result.ran) == (False, status, reason, ran)
    assert result.content
    assert result.error


async def test_the_details_of_an_error_go_into_the_metadata() -> None:
    await make_tools("faulty")
    assert (await run_one("faulty", kind="tool")).metadata == {"part": "lid"}


async def test_waiting_for_a_person_is_not_the_tools_own_time() -> None:
    await make_tool("curious", config={"limit": 1})
    asker = FakeAsker(waiting=True, text="indeed")
    work = asyncio.ensure_future(run_batch([call("curious")], scope(fake_ports(asker=asker))))
    await asyncio.wait_for(asker.asked.wait(), 20)
    await asyncio.sleep(1.2)  # longer than the call may take itself
    asker.answer_now()
    [outcome] = await work
    assert outcome.result.content == "indeed"
    assert outcome.duration_ms < 1_000
    assert (await row_of(outcome.call.id)).duration_ms == outcome.duration_ms


async def test_a_silent_run_has_nobody_to_ask() -> None:
    await make_tools("curious")
    asker = FakeAsker()
    assert (await run_one("curious", scope(fake_ports(asker=asker), silent=True))).reason == "nobody_to_ask"
    assert not asker.questions


async def test_garbage_is_logged_nowhere_but_counted_as_a_failure(caplog: pytest.LogCaptureFixture) -> None:
    await make_tools("faulty")
    with caplog.at_level(logging.ERROR):
        assert (await run_one("faulty", kind="nothing")).content == (
            "The tool ran, but what it gave back cannot be used: a NoneType is no result."
        )

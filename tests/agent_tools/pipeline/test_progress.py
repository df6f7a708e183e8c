from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_tools.contract.calls import ToolCall
from agent_tools.contract.events import ToolProgressEvent, ToolResultEvent
from agent_tools.pipeline.progress import Reporter
from agent_tools.pipeline.running import Running
from tests.fakes.batches import call, make_tool, make_tools, reasons, run, scope
from tests.fakes.ports import FakeSink, fake_ports


def reporter(sink: FakeSink) -> Reporter:
    return Reporter(Running(call=ToolCall(name="x"), scope=scope(fake_ports(sink=sink)), tools={}))


async def test_the_first_and_the_last_report_arrive_and_a_flood_does_not() -> None:
    sink = FakeSink()
    report = reporter(sink)
    for number in range(1_000):
        await report(number / 1_000, f"step {number}")
    await report.finish()
    told = sink.of(ToolProgressEvent)
    assert (told[0].message, told[-1].message) == ("step 0", "step 999")
    assert len(told) < 20


async def test_nothing_is_told_after_the_end() -> None:
    sink = FakeSink()
    report = reporter(sink)
    await report.finish()
    await report(0.5, "late")
    await asyncio.sleep(0)
    assert sink.events == []


@pytest.mark.parametrize(
    ("given", "fraction"), [(None, None), (-1, 0.0), (7, 1.0), (float("nan"), None), ("half", None), (True, 1.0)]
)
async def test_odd_fractions_and_messages_do_no_harm(given: Any, fraction: float | None) -> None:
    sink = FakeSink()
    report = reporter(sink)
    report(given, 5)  # type: ignore[arg-type]
    await report.finish()
    [event] = sink.of(ToolProgressEvent)
    assert (event.fraction, event.message) == (fraction, "5")


async def test_reports_from_a_thread_arrive() -> None:
    sink = FakeSink()
    report = reporter(sink)
    await asyncio.to_thread(report, 0.5, "from afar")
    await sink.until(ToolProgressEvent)
    await report.finish()


@pytest.mark.django_db(transaction=True)
async def test_progress_comes_before_the_result_and_without_secrets() -> None:
    await make_tool("secretive", config={"token": "hunter2-hunter2"})
    await make_tools("threaded")
    sink = FakeSink()
    await run(call("secretive"), call("threaded"), within=scope(fake_ports(sink=sink)))
    told = [event for event in sink.events if isinstance(event, ToolProgressEvent | ToolResultEvent)]
    assert [type(event) for event in told] == [ToolProgressEvent, ToolResultEvent] * 2
    assert "hunter2" not in str(sink.events)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("failing", [ConnectionError, asyncio.CancelledError])
async def test_a_failing_sink_breaks_no_call(failing: type[BaseException]) -> None:
    await make_tool("secretive")
    assert reasons(await run(call("secretive"), within=scope(fake_ports(sink=FakeSink(failing=failing))))) == ["ok"]

from __future__ import annotations

import asyncio

import pytest

from agent_tools.contract.calls import CallStatus, Ran
from agent_tools.contract.events import ToolCallEvent, ToolResultEvent
from agent_tools.contract.interrupts import StopSignal
from agent_tools.models import AgentToolLog
from agent_tools.pipeline.partition import partition
from agent_tools.pipeline.prepare import prepare
from agent_tools.services.execution import run_batch
from tests.fakes.batches import call, contents, executor, make_tool, make_tools, reasons, row_of, run, scope
from tests.fakes.ports import FakeSink, fake_ports
from tests.fakes.workers import Critical, Worker, Writer

pytestmark = pytest.mark.django_db(transaction=True)


async def test_neighbours_that_are_safe_together_form_a_group_and_others_are_alone() -> None:
    tools = await make_tools("worker", "writer")
    names = [("read", True), ("grep", True), ("bash", False), ("read", True), ("write", False)]
    calls = [call("worker", name=name, safe=safe) for name, safe in names]
    groups = partition(prepare(calls, scope(), tools))
    assert [[running.sent["name"] for running in group] for group in groups] == [
        ["read", "grep"],
        ["bash"],
        ["read"],
        ["write"],
    ]


async def test_a_call_that_cannot_run_does_not_part_its_neighbours() -> None:
    tools = await make_tools("worker")
    calls = [call("worker", name="a"), call("worker", wrong=1), call("unknown"), call("worker", name="b")]
    assert [len(group) for group in partition(prepare(calls, scope(), tools))] == [2]


async def test_safe_calls_run_side_by_side() -> None:
    await make_tools("worker")
    outcomes = await run(*(call("worker", name=str(number), meet=8) for number in range(8)))
    assert reasons(outcomes) == ["ok"] * 8
    assert executor(Worker).most_inside == 8


async def test_other_calls_run_one_after_the_other() -> None:
    await make_tools("worker")
    await run(*(call("worker", name=str(number), safe=False) for number in range(8)))
    assert executor(Worker).most_inside == 1
    assert executor(Worker).log == [f"{number} {what}" for number in range(8) for what in ("began", "ended")]


async def test_results_go_back_in_the_order_of_the_calls_whatever_ended_first() -> None:
    await make_tools("worker", "echo")
    sink, worker = FakeSink(), executor(Worker)
    calls = [call("worker", name="slow", hold=True), call("echo", text="quick"), call("nobody")]
    work = asyncio.ensure_future(run_batch(calls, scope(fake_ports(sink=sink))))
    ended = await sink.until(ToolResultEvent, 2)
    assert {event.name for event in ended} == {"echo", "nobody"}
    await worker.release()
    assert [outcome.call.id for outcome in await work] == [each.id for each in calls]


async def test_the_row_of_a_quick_call_is_closed_while_its_neighbour_still_runs() -> None:
    await make_tools("worker", "echo")
    sink = FakeSink()
    calls = [call("worker", hold=True), call("echo")]
    work = asyncio.ensure_future(run_batch(calls, scope(fake_ports(sink=sink))))
    await sink.until(ToolResultEvent)
    assert [(await row_of(each.id)).status for each in calls] == ["running", "success"]
    await executor(Worker).release()
    await work


async def test_calls_are_announced_before_anything_runs() -> None:
    await make_tools("echo")
    sink = FakeSink()
    await run(call("echo"), call("echo", text="2"), within=scope(fake_ports(sink=sink), step=3))
    assert [type(event) for event in sink.events] == [ToolCallEvent] * 2 + [ToolResultEvent] * 2
    assert {event.step for event in sink.of(ToolCallEvent)} == {3}


async def test_a_stop_in_the_middle_ends_each_call_in_its_own_way() -> None:
    await make_tools("worker", "writer", "echo")
    worker, writer, stop = executor(Worker), executor(Writer), StopSignal()
    calls = [
        call("echo", text="done"),
        call("worker", name="yields", hold=True),
        call("writer", name="writes", hold=True),
        call("worker", name="never", safe=False),
        call("worker", name="nor this", safe=False),
    ]
    work = asyncio.ensure_future(run_batch(calls, scope(), stop=stop))
    await worker.until_inside(1)
    await writer.until_inside(1)
    stop.set("enough")
    await writer.release()
    outcomes = await work
    assert reasons(outcomes) == ["ok", "cancelled", "ok", "not_started", "not_started"]
    assert [outcome.result.ran for outcome in outcomes] == [Ran.YES, Ran.MAYBE, Ran.YES, Ran.NO, Ran.NO]
    assert contents(outcomes)[2] == "writes done"
    assert "enough" in contents(outcomes)[1]
    assert "may have run in part" in contents(outcomes)[1]
    assert "Nothing was done" in contents(outcomes)[3]
    assert not await AgentToolLog.objects.filter(status="running").aexists()


async def test_a_stop_before_the_start_runs_nothing() -> None:
    await make_tools("worker")
    stop = StopSignal()
    stop.set()
    assert reasons(await run(call("worker"), call("unknown"), stop=stop)) == ["not_started", "unknown_tool"]
    assert executor(Worker).log == []


async def test_a_failure_leaves_the_siblings_alone() -> None:
    await make_tools("worker")
    calls = [
        call("worker", name="bad", meet=2, fail=True),
        call("worker", name="good", meet=2),
        call("worker", safe=False),
    ]
    assert reasons(await run(*calls)) == ["could_not", "ok", "ok"]


async def test_a_critical_failure_ends_the_rest_of_the_response() -> None:
    await make_tools("worker", "writer", "critical")
    writer = executor(Writer)
    calls = [
        call("worker", name="running", hold=True),
        call("writer", name="writing", hold=True),
        call("critical", name="bad", fail=True),
        call("worker", name="unstarted", safe=False),
    ]
    sink = FakeSink()
    work = asyncio.ensure_future(run_batch(calls, scope(fake_ports(sink=sink))))
    await sink.until(ToolResultEvent, 2)
    await writer.release()
    outcomes = await work
    assert reasons(outcomes) == ["sibling_failed", "ok", "could_not", "sibling_failed"]
    assert [outcome.result.ran for outcome in outcomes] == [Ran.MAYBE, Ran.YES, Ran.YES, Ran.NO]
    assert outcomes[3].result.status is CallStatus.CANCELLED
    assert "critical failed" in contents(outcomes)[3]


async def test_a_critical_call_that_never_ran_takes_nobody_with_it() -> None:
    await make_tools("worker", "critical")
    calls = [call("critical", wrong=1), call("worker", safe=False)]
    assert reasons(await run(*calls)) == ["invalid_arguments", "ok"]
    assert executor(Critical).log == []


async def test_a_critical_timeout_counts_as_a_failure() -> None:
    await make_tool("critical", config={"limit": 0.05})
    await make_tools("worker")
    calls = [call("critical", hold=True), call("worker", safe=False)]
    assert reasons(await run(*calls)) == ["timeout", "sibling_failed"]


async def test_cancelling_the_task_closes_every_row_before_it_goes_on() -> None:
    await make_tools("worker", "writer", "echo")
    worker, writer = executor(Worker), executor(Writer)
    calls = [call("worker", name="w", hold=True), call("writer", hold=True), call("worker", safe=False)]
    work = asyncio.ensure_future(run_batch(calls, scope()))
    await worker.until_inside(1)
    await writer.until_inside(1)
    work.cancel()
    await writer.release()
    with pytest.raises(asyncio.CancelledError):
        await work
    rows = [await row_of(each.id) for each in calls]
    assert [(row.status, row.reason) for row in rows] == [
        ("cancelled", "cancelled"),
        ("success", ""),
        ("cancelled", "not_started"),
    ]

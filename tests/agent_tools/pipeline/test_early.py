from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from django.db import DatabaseError

from agent_tools.contract.calls import ToolCall
from agent_tools.contract.events import ToolCallEvent, ToolResultEvent
from agent_tools.contract.hooks import HookCall, PermissionRequired, before_call
from agent_tools.contract.interrupts import StopSignal
from agent_tools.models import AgentToolLog, PermissionRule
from agent_tools.services.execution import CallMemory, EarlyStarts, run_batch
from tests.fakes.batches import call, contents, executor, make_tools, reasons, row_of, scope
from tests.fakes.ports import FakeAsker, FakeSink, fake_ports
from tests.fakes.workers import Worker

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
async def _tools(transactional_db: None) -> None:
    await make_tools("echo", "worker", "critical", "strict")


def reading(name: str, **more: object) -> ToolCall:
    return call("worker", name=name, read_only=True, **more)


async def test_what_was_started_early_is_not_run_again() -> None:
    early, within = EarlyStarts(scope()), scope()
    calls = [reading("a", hold=True), reading("b")]
    assert [await early.offer(each) for each in calls] == [True, True]
    await executor(Worker).until_inside(1)
    await executor(Worker).release()
    last = call("echo", text="last")
    outcomes = await run_batch([*calls, last], within, early=early)
    assert contents(outcomes) == ["a done", "b done", "last"]
    assert [outcome.call.id for outcome in outcomes] == [calls[0].id, calls[1].id, last.id]
    assert executor(Worker).log.count("a began") == 1
    assert await AgentToolLog.objects.acount() == 3


@pytest.mark.parametrize(
    "unfit",
    [
        call("worker", read_only=False),
        call("worker", read_only=True, safe=False),
        call("critical", read_only=True),
        call("strict"),
        call("unknown"),
        call("worker", read_only=True, wrong=1),
        ToolCall(name="echo", arguments="{}", sealed=False),
        ToolCall(name="echo", arguments='{"text": "x'),
    ],
)
async def test_a_call_that_might_matter_is_not_started_nor_any_after_it(unfit: ToolCall) -> None:
    early = EarlyStarts(scope())
    assert await early.offer(reading("a"))
    assert not await early.offer(unfit)
    assert not await early.offer(reading("b"))
    await early.drop()


@pytest.mark.parametrize("action", ["ask", "deny"])
async def test_a_call_that_is_not_plainly_permitted_is_not_started(action: str) -> None:
    await PermissionRule.objects.acreate(action=action, reason="hm")
    assert not await EarlyStarts(scope()).offer(reading("a"))


async def test_nothing_is_started_after_a_stop() -> None:
    stop = StopSignal()
    stop.set()
    assert not await EarlyStarts(scope(), stop=stop).offer(reading("a"))


async def test_trouble_with_the_database_starts_nothing_and_harms_no_response(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(scope: object, tools: object) -> None:
        raise DatabaseError("locked")

    early, asked = EarlyStarts(scope()), call("echo", text="a")
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("agent_tools.pipeline.surroundings._read", fail)
        assert not await early.offer(asked)
    assert contents(await run_batch([asked], scope(), early=early)) == ["a"]


async def test_a_call_whose_arguments_turned_out_differently_runs_anew_under_a_new_id() -> None:
    early = EarlyStarts(scope())
    first, second = call("echo", text="a"), call("echo", text="b")
    assert await early.offer(first)
    assert await early.offer(second)
    changed = replace(first, arguments={"text": "other"})
    outcomes = await run_batch([changed, second], scope(), early=early)
    assert contents(outcomes) == ["other", "b"]
    assert not {outcome.call.id for outcome in outcomes} & {first.id, second.id}
    assert not await AgentToolLog.objects.filter(status="running").aexists()


async def test_equal_arguments_in_other_words_are_no_change() -> None:
    early = EarlyStarts(scope())
    first = ToolCall(name="echo", arguments='{"text":"a","count":1}')
    assert await early.offer(first)
    outcomes = await run_batch([replace(first, arguments='{ "count": 1, "text": "a" }')], scope(), early=early)
    assert [outcome.call.id for outcome in outcomes] == [first.id]


async def test_dropping_ends_what_runs_and_closes_its_row() -> None:
    early, held = EarlyStarts(scope()), reading("a", hold=True)
    await early.offer(held)
    await executor(Worker).until_inside(1)
    await early.drop()
    assert executor(Worker).log == ["a began", "a cancelled"]
    assert (await row_of(held.id)).status == "cancelled"


async def test_a_person_is_not_asked_before_the_response_is_whole() -> None:
    @before_call()
    def demand(call: HookCall) -> PermissionRequired:
        return PermissionRequired("sure?")

    asker, sink = FakeAsker(), FakeSink()
    within = scope(fake_ports(asker=asker, sink=sink))
    early, asked = EarlyStarts(within), call("echo", text="a")
    assert await early.offer(asked)
    await sink.until(ToolCallEvent)
    assert not asker.requests
    outcomes = await run_batch([asked], within, early=early)
    assert [(outcome.call.id, outcome.result.content) for outcome in outcomes] == [(asked.id, "a")]
    assert len(asker.requests) == 1


async def test_what_was_started_early_does_not_hold_its_neighbours_up() -> None:
    early = EarlyStarts(scope())
    first, last = reading("a", meet=2), reading("b", meet=2)
    assert await early.offer(first)
    outcomes = await run_batch([first, last], scope(), early=early)
    assert contents(outcomes) == ["a done", "b done"]


async def test_a_call_that_has_to_run_alone_waits_for_what_was_started_early() -> None:
    early, held, alone = EarlyStarts(scope()), reading("a", hold=True), call("worker", name="b", safe=False)
    assert await early.offer(held)
    await executor(Worker).until_inside(1)
    work = asyncio.ensure_future(run_batch([held, alone], scope(), early=early))
    await asyncio.sleep(0.05)
    await executor(Worker).release()
    assert reasons(await work) == ["ok", "ok"]
    assert executor(Worker).log == ["a began", "a ended", "b began", "b ended"]


async def test_a_failing_sibling_ends_what_was_started_early() -> None:
    early, held = EarlyStarts(scope()), reading("a", hold=True)
    assert await early.offer(held)
    await executor(Worker).until_inside(1)
    outcomes = await run_batch([held, call("critical", fail=True)], scope(), early=early)
    assert reasons(outcomes) == ["sibling_failed", "could_not"]
    assert (await row_of(held.id)).reason == "sibling_failed"


async def test_a_stop_ends_what_was_started_early() -> None:
    stop = StopSignal()
    early, held = EarlyStarts(scope(), stop=stop), reading("a", hold=True)
    assert await early.offer(held)
    await executor(Worker).until_inside(1)
    work = asyncio.ensure_future(run_batch([held, call("echo", text="x")], scope(), early=early, stop=stop))
    await asyncio.sleep(0)
    stop.set()
    assert reasons(await work)[0] == "cancelled"
    assert not await AgentToolLog.objects.filter(status="running").aexists()


async def test_each_call_is_told_once_however_it_was_started() -> None:
    sink = FakeSink()
    within = scope(fake_ports(sink=sink))
    early, calls = EarlyStarts(within), [call("echo", text="a"), call("echo", text="b")]
    assert await early.offer(calls[0])
    await run_batch(calls, within, early=early)
    assert [event.id for event in sink.of(ToolCallEvent)] == [each.id for each in calls]
    assert sorted(event.tool_call_id for event in sink.of(ToolResultEvent)) == sorted(each.id for each in calls)


async def test_early_calls_count_for_repetition() -> None:
    memory = CallMemory()
    early = EarlyStarts(scope(), memory=memory)
    calls = [call("echo", text="x") for _ in range(4)]
    assert [await early.offer(each) for each in calls[:3]] == [True, True, False]
    outcomes = await run_batch(calls, scope(), early=early, memory=memory)
    assert reasons(outcomes) == ["ok", "ok", "repeated_call", "repeated_call"]


async def test_a_cancelled_turn_takes_its_early_calls_with_it() -> None:
    early, held = EarlyStarts(scope()), reading("a", hold=True)
    await early.offer(held)
    await executor(Worker).until_inside(1)
    work = asyncio.ensure_future(run_batch([held], scope(), early=early))
    await asyncio.sleep(0)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert (await row_of(held.id)).status == "cancelled"

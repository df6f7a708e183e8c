from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_tools.contract.calls import CallStatus, Ran, ToolCall
from agent_tools.contract.events import ToolCallEvent, ToolResultEvent
from agent_tools.contract.interrupts import StopSignal
from agent_tools.contract.outcome import CallOutcome
from agent_tools.models import AgentTool, AgentToolLog
from agent_tools.services.execution import CallMemory, EarlyStarts, run_batch
from tests.fakes.batches import executor, scope
from tests.fakes.ports import FakeAsker, FakeSink, fake_ports
from tests.fakes.tool_types import known_types
from tests.fakes.workers import Threaded

FAULTS = ("bug", "exit", "cancel", "tool", "nothing", "dirty", "strange", "safety", "permissions", "read_only", "empty")
REPEATS = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def calls_of(name: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[ToolCall]:
    arguments = st.fixed_dictionaries({}, optional=fields)
    return arguments.map(lambda given: ToolCall(name=name, arguments=given))


CALLS = st.lists(
    st.one_of(
        calls_of("echo", text=st.text(max_size=5), count=st.integers(0, 3_000)),
        calls_of("faulty", kind=st.sampled_from(FAULTS)),
        calls_of("strict", verdict=st.sampled_from(["allow", "ask", "deny", "?"])),
        calls_of("curious", question=st.text(max_size=3)),
        *(
            calls_of(kind, safe=st.booleans(), fail=st.booleans(), hold=st.booleans(), read_only=st.booleans())
            for kind in ("worker", "writer", "critical", "threaded")
        ),
        st.builds(
            ToolCall,
            name=st.sampled_from(["echo", "worker", "nothing", "", "x" * 300, "\0\ud83d"]),
            arguments=st.one_of(st.text(max_size=20), st.sampled_from(["{}", '{"text": NaN}', '{"text": "x', "[]"])),
            provider_id=st.one_of(st.none(), st.text(max_size=3)),
            sealed=st.booleans(),
        ),
    ),
    max_size=8,
)
ENDINGS = st.one_of(st.none(), st.tuples(st.sampled_from(["stop", "cancel"]), st.integers(0, 30)))


@pytest.fixture
def _tools(transactional_db: None) -> Any:
    with known_types():
        for kind in ("echo", "faulty", "strict"):
            AgentTool.objects.create(name=kind, slug=kind, description="d", type=kind)
        for kind in ("worker", "writer", "critical", "threaded", "curious"):
            AgentTool.objects.create(name=kind, slug=kind, description="d", type=kind, config={"limit": 0.03})
        yield


async def ended(
    calls: list[ToolCall], sink: FakeSink, ending: tuple[str, int] | None, early: int
) -> list[CallOutcome] | None:
    """Run the batch, of which the first `early` calls may start before it, stopped or cancelled after some turns of
    the loop; none where the cancellation came first.
    """
    stop, memory = StopSignal(), CallMemory()
    within = scope(fake_ports(sink=sink, asker=FakeAsker()))
    starts = EarlyStarts(within, stop=stop, memory=memory)
    for call in calls[:early]:
        await starts.offer(call)
    work = asyncio.ensure_future(run_batch(calls, within, stop=stop, memory=memory, early=starts))
    if ending is not None:
        how, turns = ending
        for _ in range(turns):
            await asyncio.sleep(0.0005)
        if how == "stop":
            stop.set()
        else:
            work.cancel()
    async with asyncio.timeout(60):
        await asyncio.wait({work})
    return None if work.cancelled() else work.result()


@pytest.mark.usefixtures("_tools")
@given(calls=CALLS, ending=ENDINGS, early=st.sampled_from([0, 1, 8]))
@REPEATS
def test_whatever_happens_each_call_has_one_result_in_order_and_no_row_stays_open(
    calls: list[ToolCall], ending: tuple[str, int] | None, early: int
) -> None:
    AgentToolLog.objects.all().delete()
    with known_types():
        outcomes, sink = async_to_sync(_observed)(calls, ending, early)
    rows = {row.call_id: row for row in AgentToolLog.objects.all()}
    assert not [row for row in rows.values() if row.status == "running"]
    if outcomes is None:
        return
    assert [outcome.call.id for outcome in outcomes] == [call.id for call in calls]
    assert set(rows) == {call.id for call in calls}
    told = [event.tool_call_id for event in sink.of(ToolResultEvent)]
    assert sorted(told) == sorted(call.id for call in calls)
    assert [event.id for event in sink.of(ToolCallEvent)] == [call.id for call in calls]
    for outcome in outcomes:
        result, row = outcome.result, rows[outcome.call.id]
        assert result.content.strip()
        assert result.success is (result.status is CallStatus.SUCCESS) is (result.error is None)
        assert (row.status, row.reason) == (result.status.value, result.reason)
        assert row.metadata["ran"] == result.ran.value
        assert result.ran is not Ran.NO or not result.success
        result.content.encode()


async def _observed(
    calls: list[ToolCall], ending: tuple[str, int] | None, early: int
) -> tuple[list[CallOutcome] | None, FakeSink]:
    sink = FakeSink()
    try:
        return await ended(calls, sink, ending, early), sink
    finally:
        executor(Threaded).released.set()

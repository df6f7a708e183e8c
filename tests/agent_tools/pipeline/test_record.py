from __future__ import annotations

import asyncio
import uuid
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from agent_tools.contract.calls import CallStatus, Door, Reason, ToolCall
from agent_tools.contract.events import ToolResultEvent
from agent_tools.contract.result import ToolResult
from agent_tools.models import AgentTool, AgentToolLog
from agent_tools.pipeline.record import bounded
from agent_tools.services.execution import refuse_batch, run_batch
from tests.fakes.batches import call, executor, make_tools, reasons, row_of, run, scope
from tests.fakes.ports import FakeSink, fake_ports
from tests.fakes.workers import Worker

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_row_tells_the_whole_call() -> None:
    [tool] = await make_tools("echo")
    within = scope(door=Door.BACKGROUND)
    asked = ToolCall(name="echo", arguments='{"text": "hi"}', provider_id="f:0")
    [outcome] = await run(asked, within=within)
    row = await row_of(asked.id)
    assert (row.tool_id, row.tool_slug, row.session_id) == (tool.pk, "echo", within.session_id)
    assert (row.door, row.user_id, row.provider_call_id) == ("background", None, "f:0")
    assert (row.input, row.output, row.content) == ({"text": "hi"}, {"text": "hi"}, "hi")
    assert (row.status, row.reason, row.error_message) == ("success", "", "")
    assert row.metadata == {"ran": "yes"}
    assert row.duration_ms == outcome.duration_ms


async def test_the_rows_of_a_batch_are_open_before_anything_runs() -> None:
    await make_tools("worker")
    calls = [call("worker", name=str(number), safe=False, hold=True) for number in range(3)]
    work = asyncio.ensure_future(run_batch(calls, scope()))
    await executor(Worker).until_inside(1)
    assert [row.status async for row in AgentToolLog.objects.order_by("id")] == ["running"] * 3
    await executor(Worker).release()
    await work


async def test_an_unknown_tool_leaves_a_row_without_a_tool_and_with_a_cut_name() -> None:
    await make_tools("echo")
    [outcome] = await run(call("ehco" * 50, text="x"))
    row = await row_of(outcome.call.id)
    assert (row.tool_id, len(row.tool_slug), row.status) == (None, 100, "error")
    assert row.reason == "unknown_tool"
    [outcome] = await run(call("Ecko"))
    assert "Did you mean 'echo'? Available: echo." in outcome.result.content


async def test_arguments_that_cannot_be_read_are_kept_as_they_came() -> None:
    await make_tools("echo")
    [outcome] = await run(ToolCall(name="echo", arguments='{"text": "hal'))
    assert (await row_of(outcome.call.id)).input == '{"text": "hal'


async def test_a_flood_of_unreadable_arguments_is_cut_in_the_row() -> None:
    await make_tools("echo")
    [outcome] = await run(ToolCall(name="echo", arguments="x" * 5_000_000))
    assert outcome.result.reason == "invalid_json"
    assert (await row_of(outcome.call.id)).input == "x" * 100_000 + "…"


async def test_secrets_that_a_caller_sends_are_masked_in_row_and_events() -> None:
    await make_tools("shaped")
    sink = FakeSink()
    arguments = {"path": "http://u:hunter2@h", "headers": {"Authorization": "hunter2", "x-api-key": "hunter2"}}
    [outcome] = await run(call("shaped", **arguments), within=scope(fake_ports(sink=sink)))
    row = await row_of(outcome.call.id)
    assert "hunter2" in str(outcome.result.data)
    assert "hunter2" in outcome.result.content
    assert "hunter2" not in f"{row.__dict__} {sink.events}"


async def test_a_long_output_is_cut_in_the_row_and_stays_json(settings: Any) -> None:
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "LOG_OUTPUT_BYTES": 1_024}
    await make_tools("echo")
    [outcome] = await run(call("echo", text="é" * 2_000))
    row = await row_of(outcome.call.id)
    output = row.output or {}
    assert (output["truncated"], output["bytes"]) == (True, 4_012)
    assert output["start"].startswith('{"text": "éé')
    assert len(row.content) == 2_000
    assert outcome.result.data == {"text": "é" * 2_000}


def test_an_output_at_the_limit_is_whole() -> None:
    assert bounded({"a": "é"}, 11) == {"a": "é"}
    assert bounded({"a": "é"}, 8) == {"truncated": True, "bytes": 11, "start": '{"a": "'}


async def test_trouble_at_the_close_keeps_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(running: object) -> int:
        raise DatabaseError("locked")

    monkeypatch.setattr("agent_tools.pipeline.record._close", fail)
    await make_tools("echo")
    [outcome] = await run(call("echo", text="x"))
    assert outcome.result.content == "x"
    assert (await row_of(outcome.call.id)).status == "running"


async def test_what_cannot_be_recorded_is_not_run() -> None:
    await make_tools("worker")
    again = call("worker")
    await run(again)
    outcomes = await run(again, call("worker", name="other"))
    assert reasons(outcomes) == ["internal_error"] * 2
    assert "could not be recorded" in outcomes[0].result.content
    assert executor(Worker).log == ["worker began", "worker ended"]


async def test_a_call_taken_up_again_uses_the_row_that_it_has() -> None:
    await make_tools("echo")
    again, within = call("echo", text="x"), scope()
    await AgentToolLog.objects.acreate(call_id=again.id, session_id=within.session_id, tool_slug="echo", door="chat")
    assert reasons(await run(again, within=within, resumed={again.id})) == ["ok"]
    assert (await AgentToolLog.objects.aget()).content == "x"


async def test_a_row_that_something_else_closed_stays_closed() -> None:
    await make_tools("worker")
    held = call("worker", hold=True)
    work = asyncio.ensure_future(run_batch([held], scope()))
    await executor(Worker).until_inside(1)
    await AgentToolLog.objects.filter(call_id=held.id).aupdate(status="interrupted")
    await executor(Worker).release()
    assert reasons(await work) == ["ok"]
    assert (await row_of(held.id)).status == "interrupted"


async def test_calls_beyond_the_limit_of_steps_are_recorded_and_not_run() -> None:
    await make_tools("worker")
    limit = ToolResult.failed("The limit of steps is reached.", reason=Reason.STEP_LIMIT, status=CallStatus.DENIED)
    sink = FakeSink()
    outcomes = await refuse_batch([call("worker"), call("unknown")], scope(fake_ports(sink=sink)), limit)
    assert reasons(outcomes) == ["step_limit"] * 2
    assert executor(Worker).log == []
    assert await AgentToolLog.objects.filter(reason="step_limit").acount() == 2
    assert len(sink.of(ToolResultEvent)) == 2


@pytest.mark.parametrize(("count", "queries"), [(1, 5), (8, 12)])
def test_a_batch_takes_four_queries_and_one_more_a_call(count: int, queries: int) -> None:
    AgentTool.objects.create(name="e", slug="echo", description="d", type="echo")
    calls = [call("echo", text=str(number)) for number in range(count)]
    with CaptureQueriesContext(connection) as captured:
        async_to_sync(run_batch)(calls, scope())
    statements = [query["sql"] for query in captured if query["sql"].split()[0] in {"SELECT", "INSERT", "UPDATE"}]
    assert len(statements) == queries


def test_ids_are_our_own() -> None:
    assert call("x").id != call("x").id
    assert isinstance(call("x").id, uuid.UUID)


async def test_provider_ids_that_repeat_do_not_meet() -> None:
    await make_tools("echo")
    calls = [ToolCall(name="echo", arguments={"text": text}, provider_id="f:0") for text in "ab"]
    await run(*calls)
    await run(ToolCall(name="echo", arguments={"text": "c"}, provider_id="f:0"))
    assert [row.content async for row in AgentToolLog.objects.order_by("id")] == ["a", "b", "c"]

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_tools.contract.calls import CallStatus
from agent_tools.contract.errors import UnavailableError
from agent_tools.contract.events import ToolResultEvent
from agent_tools.contract.interrupts import StopSignal
from agent_tools.contract.permissions import Decision, PermissionAnswer, PermissionRequest
from agent_tools.models import AgentToolLog, Grant
from agent_tools.pipeline.arguments import digest
from agent_tools.services.execution import run_batch
from tests.fakes.batches import call, contents, make_tools, reasons, run, run_one, scope
from tests.fakes.ports import FakeAsker, FakeSink, decided, fake_ports

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
async def _tools(transactional_db: None) -> None:
    await make_tools("strict", "echo")


async def test_the_person_is_asked_once_for_exactly_these_arguments() -> None:
    asker = FakeAsker()
    arguments = {"verdict": "ask", "path": "a"}
    result = await run_one("strict", scope(fake_ports(asker=asker)), **arguments)
    [request] = asker.requests
    assert result.content == "ran a"
    assert (request.slug, request.arguments_hash) == ("strict", digest(arguments))
    assert request.reasons == ("the tool says ask",)
    assert request.timeout == 300


async def test_secrets_in_the_shown_arguments_are_masked() -> None:
    asker = FakeAsker()
    await run_one("strict", scope(fake_ports(asker=asker)), verdict="ask", path="https://u:hunter2@example.org/")
    assert "hunter2" not in str(asker.requests[0].arguments)


async def test_an_allow_once_is_for_one_call() -> None:
    asker = FakeAsker(decided(Decision.ALLOW_ONCE), decided(Decision.DENY, "not again"))
    within = scope(fake_ports(asker=asker))
    outcomes = await run(
        call("strict", verdict="ask", path="a"), call("strict", verdict="ask", path="b"), within=within
    )
    assert reasons(outcomes) == ["ok", "denied_by_person"]
    assert "not again" in outcomes[1].result.content
    assert outcomes[1].result.status is CallStatus.DENIED


async def test_an_allow_always_spares_the_next_question_of_the_conversation() -> None:
    asker = FakeAsker(decided(Decision.ALLOW_ALWAYS))
    within = scope(fake_ports(asker=asker))
    calls = [call("strict", verdict="ask", path=path) for path in "abc"]
    assert reasons(await run(*calls[:2], within=within)) == ["ok", "ok"]
    assert reasons(await run(calls[2], within=within)) == ["ok"]
    assert len(asker.requests) == 1
    assert await Grant.objects.filter(session_id=within.session_id, tool_slug="strict").acount() == 1


@pytest.mark.parametrize(
    ("decision", "status", "reason"),
    [
        (Decision.EXPIRED, CallStatus.DENIED, "permission_expired"),
        (Decision.CANCELLED, CallStatus.CANCELLED, "cancelled"),
    ],
)
async def test_a_request_that_lapses_ends_the_call(decision: Decision, status: CallStatus, reason: str) -> None:
    asker = FakeAsker(decided(decision, arguments_hash=""))
    result = await run_one("strict", scope(fake_ports(asker=asker)), verdict="ask")
    assert (result.status, result.reason) == (status, reason)


async def test_an_answer_for_other_arguments_does_not_count() -> None:
    other = decided(Decision.ALLOW_ONCE, arguments_hash="0" * 64)
    asker = FakeAsker(other, decided(Decision.ALLOW_ONCE))
    assert (await run_one("strict", scope(fake_ports(asker=asker)), verdict="ask")).success
    always_other = FakeAsker(other)
    refused = await run_one("strict", scope(fake_ports(asker=always_other)), verdict="ask")
    assert refused.reason == "permission_expired"
    assert len(always_other.requests) == 2


async def test_an_asker_that_cannot_reach_anyone_refuses() -> None:
    async def nobody(request: PermissionRequest) -> PermissionAnswer:
        raise UnavailableError("gone", reason="nobody_to_ask")

    result = await run_one("strict", scope(fake_ports(asker=FakeAsker(nobody))), verdict="ask")
    assert (result.status, result.reason) == (CallStatus.DENIED, "nobody_to_ask")


@pytest.mark.parametrize("bug", [ZeroDivisionError, asyncio.CancelledError])
async def test_an_asker_with_a_bug_lets_nothing_through(bug: type[BaseException]) -> None:
    async def broken(request: PermissionRequest) -> PermissionAnswer:
        raise bug

    result = await run_one("strict", scope(fake_ports(asker=FakeAsker(broken))), verdict="ask")
    assert result.reason == "internal_error"


async def test_an_asker_that_never_answers_expires(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "PERMISSION_TIMEOUT": 0.01}
    monkeypatch.setattr("agent_tools.pipeline.asking.PATIENCE", 0.01)
    result = await run_one("strict", scope(fake_ports(asker=FakeAsker(waiting=True))), verdict="ask")
    assert result.reason == "permission_expired"


async def test_calls_that_need_no_permission_are_judged_but_wait_their_turn() -> None:
    asker, sink = FakeAsker(waiting=True), FakeSink()
    calls = [call("echo", text="first"), call("strict", verdict="ask"), call("echo", text="last")]
    work = asyncio.ensure_future(run_batch(calls, scope(fake_ports(asker=asker, sink=sink))))
    await asyncio.wait_for(asker.asked.wait(), 20)
    assert not sink.of(ToolResultEvent)
    assert await AgentToolLog.objects.filter(status="running").acount() == 3
    asker.answer_now()
    assert contents(await work) == ["first", "ran ", "last"]


async def test_a_stop_ends_the_wait_for_a_person() -> None:
    asker, stop = FakeAsker(waiting=True), StopSignal()
    calls = [call("strict", verdict="ask"), call("echo")]
    work = asyncio.ensure_future(run_batch(calls, scope(fake_ports(asker=asker)), stop=stop))
    await asyncio.wait_for(asker.asked.wait(), 20)
    stop.set()
    assert reasons(await asyncio.wait_for(work, 20)) == ["not_started", "not_started"]
    assert await AgentToolLog.objects.filter(status="cancelled", reason="not_started").acount() == 2

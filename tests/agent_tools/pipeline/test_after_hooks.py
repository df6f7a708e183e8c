from __future__ import annotations

import logging
from typing import Any

import pytest

from agent_tools.contract.calls import CallStatus
from agent_tools.contract.hooks import (
    AfterOutcome,
    AppendContext,
    Block,
    HookCall,
    Keep,
    MutateOutput,
    after_call,
    before_call,
)
from agent_tools.contract.result import ToolResult
from tests.fakes.batches import call, make_tools, reasons, row_of, run, run_one

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
async def _tools(transactional_db: None) -> None:
    await make_tools("echo", "faulty", "shaped")


async def test_an_observer_sees_every_call_that_ran_and_its_result() -> None:
    seen: list[tuple[str, bool]] = []

    @before_call(tools=("shaped",))
    def block(call: HookCall) -> Block:
        return Block("no")

    @after_call()
    async def observe(call: HookCall, result: ToolResult) -> None:
        seen.append((call.slug, result.success))

    await run(call("echo"), call("faulty", kind="tool"), call("shaped", path="a"), call("unknown"))
    assert seen == [("echo", True), ("faulty", False)]


async def test_a_hook_cannot_change_a_result_in_place_and_odd_data_are_no_trouble() -> None:
    @after_call()
    def meddle(call: HookCall, result: ToolResult) -> None:
        result.data.clear()

    assert (await run_one("echo", text="x")).data == {"text": "x"}
    assert (await run_one("faulty", kind="lock")).content == "locked"


async def test_outputs_are_changed_in_order_and_left_out_fields_stay() -> None:
    @after_call(order=1)
    def shout(call: HookCall, result: ToolResult) -> MutateOutput:
        return MutateOutput(content=result.content.upper(), metadata={"shouted": True})

    @after_call(order=2)
    def add(call: HookCall, result: ToolResult) -> AfterOutcome:
        return AppendContext(f"({len(result.content)} characters)")

    @after_call(order=3)
    def keep(call: HookCall, result: ToolResult) -> Keep:
        return Keep()

    [outcome] = await run(call("echo", text="abc"))
    assert outcome.result.content == "ABC\n\n(3 characters)"
    assert outcome.result.data == {"text": "abc"}
    assert (await row_of(outcome.call.id)).metadata["shouted"] is True


async def test_a_hook_cannot_turn_a_failure_into_a_success() -> None:
    @after_call()
    def gloss(call: HookCall, result: ToolResult) -> MutateOutput:
        return MutateOutput(content="all is well", data={"fine": True})

    result = await run_one("faulty", kind="tool")
    assert (result.success, result.status, result.content) == (False, CallStatus.ERROR, "all is well")


async def test_what_a_hook_puts_in_is_made_safe_too() -> None:
    @after_call()
    def soil(call: HookCall, result: ToolResult) -> MutateOutput:
        return MutateOutput(content="a\0\ud83d", data={"x": float("inf")})

    result = await run_one("echo")
    assert (result.content, result.data) == ("a\ufffd", {"x": "Infinity"})


def broken(call: HookCall, result: ToolResult) -> None:
    raise ZeroDivisionError


def confused(call: HookCall, result: ToolResult) -> Any:
    return Block("too late")


@pytest.mark.parametrize("bad", [broken, confused])
async def test_a_hook_that_fails_afterwards_is_logged_and_passed_over(
    bad: Any, caplog: pytest.LogCaptureFixture
) -> None:
    after_call()(bad)
    assert reasons(await run(call("echo"))) == ["ok"]
    assert any(record.levelno == logging.ERROR and bad.__name__ in record.message for record in caplog.records)

from __future__ import annotations

import asyncio
import logging
import threading
from typing import Any

import pytest

from agent_tools.contract.calls import CallStatus, Ran
from agent_tools.contract.hooks import (
    AppendContext,
    Block,
    HookCall,
    Keep,
    MutateInput,
    PermissionRequired,
    Proceed,
    Registration,
    before_call,
)
from agent_tools.models import PermissionRule
from agent_tools.pipeline.hooks import in_order
from tests.fakes.batches import call, executor, make_tools, row_of, run, run_one, scope
from tests.fakes.ports import FakeAsker, fake_ports
from tests.fakes.tool_types import Answers

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
async def _tools(transactional_db: None) -> None:
    await make_tools("echo", "shaped", "answers", "strict", "faulty")


def hook(name: str, order: int, module: str = "tests.somewhere") -> Registration:
    def function(call: HookCall) -> None:
        return None

    function.__module__ = module
    return Registration(function=function, name=name, order=order, tools=("*",), guard=False, timeout=1)


def test_hooks_run_in_the_order_of_apps_then_their_own_then_their_names() -> None:
    hooks = [
        hook("outside", -9),
        hook("late app", -5, "agent_tools.workspace.tool_hooks"),
        hook("b", 1, "agent_tools.tool_hooks"),
        hook("a", 1, "agent_tools.tool_hooks"),
        hook("first", 0, "agent_tools.tool_hooks"),
        hook("admin", 7, "django.contrib.admin.tool_hooks"),
    ]
    assert [each.name for each in in_order(hooks, "x")] == ["admin", "first", "a", "b", "late app", "outside"]


async def test_a_hook_sees_the_call() -> None:
    seen: list[HookCall] = []

    @before_call()
    def look(call: HookCall) -> Proceed:
        seen.append(call)
        return Proceed()

    within = scope(user_id=None)
    [outcome] = await run(call("echo", text="x"), within=within)
    [view] = seen
    assert (view.call_id, view.slug, view.type) == (outcome.call.id, "echo", "echo")
    assert (view.arguments, view.session_id, view.door) == ({"text": "x"}, within.session_id, within.door)


async def test_a_hook_is_only_for_its_tools() -> None:
    @before_call(tools=("sha*", "nothing"))
    async def never(call: HookCall) -> Block:
        return Block("no shapes")

    assert (await run_one("echo")).success
    blocked = await run_one("shaped", path="a")
    assert (blocked.status, blocked.reason, blocked.ran) == (CallStatus.DENIED, "blocked_by_hook", Ran.NO)
    assert "no shapes" in blocked.content


async def test_a_block_keeps_later_hooks_and_the_tool_from_running() -> None:
    @before_call(order=1)
    def first(call: HookCall) -> Block:
        return Block("no")

    @before_call(order=2)
    def second(call: HookCall) -> None:
        raise AssertionError

    await run_one("answers")
    assert executor(Answers).runs == 0


async def test_changed_arguments_chain_and_are_what_runs() -> None:
    @before_call(order=1)
    def one(call: HookCall) -> MutateInput:
        return MutateInput({**call.arguments, "text": call.arguments["text"] + "1"})

    @before_call(order=2)
    async def two(call: HookCall) -> MutateInput:
        return MutateInput({**call.arguments, "text": call.arguments["text"] + "2"})

    [outcome] = await run(call("echo", text="x"))
    row = await row_of(outcome.call.id)
    assert outcome.result.content == "x12"
    assert row.input == {"text": "x"}
    assert row.metadata["final_input"] == {"text": "x12"}
    assert [name.rpartition(".")[2] for name in row.metadata["arguments_changed_by"]] == ["one", "two"]


async def test_changing_the_arguments_in_place_changes_nothing() -> None:
    @before_call()
    def meddle(call: HookCall) -> None:
        call.arguments["text"] = "other"  # type: ignore[index]

    assert (await run_one("echo", text="x")).content == "x"


@pytest.mark.parametrize("changed", [{"text": 5}, {"other": 1}, {"text": float("nan")}, {"text": threading.Lock()}])
async def test_changed_arguments_are_validated_again(changed: dict[str, Any]) -> None:
    @before_call()
    def spoil(call: HookCall) -> MutateInput:
        return MutateInput(changed)

    result = await run_one("echo", text="x")
    assert (result.reason, result.ran) == ("invalid_arguments", Ran.NO)
    assert "a hook changed the arguments" in result.content


@pytest.mark.parametrize("argument", ["evil", "good"])
async def test_arguments_are_judged_as_sent_and_as_hooks_left_them(argument: str) -> None:
    await PermissionRule.objects.acreate(action="deny", argument_pattern="evil", reason="evil")

    @before_call()
    def change(call: HookCall) -> MutateInput:
        return MutateInput({"text": "evil" if call.arguments["text"] == "good" else "good"})

    assert (await run_one("echo", text=argument)).reason == "denied_by_rule"


async def test_an_allow_for_the_sent_arguments_does_not_lift_an_ask_for_the_final_ones() -> None:
    await PermissionRule.objects.acreate(action="ask", argument_pattern="far", reason="far")
    await PermissionRule.objects.acreate(action="allow", argument_name="path", argument_pattern="near", reason="near")

    @before_call()
    def change(call: HookCall) -> MutateInput:
        return MutateInput({"path": "far"})

    asker = FakeAsker()
    assert (await run_one("strict", scope(fake_ports(asker=asker)), path="near")).content == "ran far"
    assert [request.arguments for request in asker.requests] == [{"path": "far"}]


async def test_a_demanded_permission_does_not_drop_another_hooks_rewrite() -> None:
    @before_call(order=1)
    def change(call: HookCall) -> MutateInput:
        return MutateInput({"text": "changed"})

    @before_call(order=2)
    def demand(call: HookCall) -> PermissionRequired:
        return PermissionRequired("a hook wants to know")

    asker = FakeAsker()
    assert (await run_one("echo", scope(fake_ports(asker=asker)), text="x")).content == "changed"
    assert [request.reasons for request in asker.requests] == [("a hook wants to know",)]
    assert (await run_one("echo", text="x")).reason == "nobody_to_ask"


async def test_an_added_text_reaches_the_model_below_the_result() -> None:
    @before_call()
    def note(call: HookCall) -> AppendContext:
        return AppendContext("mind the gap")

    assert (await run_one("echo", text="x")).content == "x\n\nmind the gap"
    assert (await run_one("faulty", kind="tool")).content == "It is broken.\n\nmind the gap"


class Held:
    """A hook that waits until the test ends, in a thread or in the loop."""

    def __init__(self) -> None:
        self.released = threading.Event()

    def in_a_thread(self, call: HookCall) -> None:
        self.released.wait(20)

    async def in_the_loop(self, call: HookCall) -> None:
        await asyncio.sleep(20)


def broken(call: HookCall) -> None:
    raise ZeroDivisionError


def exiting(call: HookCall) -> None:
    raise SystemExit(1)


async def broken_async(call: HookCall) -> None:
    raise SystemExit(1)


async def cancelling(call: HookCall) -> None:
    raise asyncio.CancelledError


def talkative(call: HookCall) -> Any:
    return "yes"


def confused(call: HookCall) -> Any:
    return Keep()


@pytest.mark.parametrize("bad", [broken, exiting, broken_async, cancelling, talkative, confused])
@pytest.mark.parametrize("guard", [True, False])
async def test_a_hook_that_fails_blocks_as_a_guard_and_is_logged_otherwise(
    bad: Any, *, guard: bool, caplog: pytest.LogCaptureFixture
) -> None:
    before_call(guard=guard)(bad)
    result = await run_one("echo", text="x")
    assert result.success is not guard
    assert result.reason == ("guard_failed" if guard else "")
    assert any(record.levelno == logging.ERROR and bad.__name__ in record.message for record in caplog.records)


@pytest.mark.parametrize("kind", ["in_a_thread", "in_the_loop"])
@pytest.mark.parametrize("guard", [True, False])
async def test_a_hook_that_hangs_is_given_up_after_its_time(kind: str, *, guard: bool) -> None:
    held = Held()
    before_call(guard=guard, timeout=0.05)(getattr(held, kind))
    try:
        result = await run_one("echo", text="x")
    finally:
        held.released.set()
    assert result.reason == ("guard_failed" if guard else "")


async def test_a_sync_hook_does_not_hold_the_event_loop() -> None:
    main = threading.get_ident()
    seen: list[int] = []

    @before_call()
    def where(call: HookCall) -> None:
        seen.append(threading.get_ident())

    await run_one("echo")
    assert seen != [main]

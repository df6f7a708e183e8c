from __future__ import annotations

from typing import Any

import pytest

from agent_tools.contract.calls import Ran, ToolCall
from agent_tools.services.execution import CallMemory
from tests.fakes.batches import call, executor, make_tools, reasons, run
from tests.fakes.tool_types import Answers, Pollable

pytestmark = pytest.mark.django_db(transaction=True)


async def one_by_one(memory: CallMemory, *calls: ToolCall) -> list[str]:
    """Run each call in a batch of its own, as a model does that looks at each result."""
    return [reason for each in calls for reason in reasons(await run(each, memory=memory))]


async def test_the_third_equal_call_with_an_equal_result_is_not_run() -> None:
    await make_tools("answers")
    ended = await one_by_one(CallMemory(), *(call("answers") for _ in range(4)))
    assert ended == ["ok", "ok", "repeated_call", "repeated_call"]
    assert executor(Answers).runs == 2


async def test_the_model_is_told_why_and_that_nothing_ran() -> None:
    await make_tools("answers")
    outcomes = await run(*(call("answers") for _ in range(3)))
    assert outcomes[2].result.ran is Ran.NO
    assert "already made 2 times in this turn" in outcomes[2].result.content


async def test_the_order_of_keys_makes_no_other_call() -> None:
    await make_tools("shaped")
    texts = ['{"path": "a", "depth": 1}', '{"depth": 1, "path": "a"}', '{ "depth":1.0,"path":"a" }']
    ended = await one_by_one(CallMemory(), *(ToolCall(name="shaped", arguments=text) for text in texts))
    assert ended == ["ok", "ok", "repeated_call"]


async def test_alternating_pairs_count() -> None:
    await make_tools("answers", "echo")
    calls = [call("answers", job="a"), call("echo", text="b")] * 3
    ended = await one_by_one(CallMemory(), *(ToolCall(name=each.name, arguments=each.arguments) for each in calls))
    assert ended == ["ok", "ok", "ok", "ok", "repeated_call", "repeated_call"]


async def test_equal_calls_inside_one_batch_count() -> None:
    await make_tools("echo")
    assert reasons(await run(*(call("echo", text="x") for _ in range(4)))) == [
        "ok",
        "ok",
        "repeated_call",
        "repeated_call",
    ]


async def test_other_arguments_and_another_turn_are_other_calls() -> None:
    await make_tools("echo")
    assert reasons(await run(*(call("echo", text=str(number)) for number in range(4)))) == ["ok"] * 4
    for _ in range(4):
        assert reasons(await run(call("echo"), memory=CallMemory())) == ["ok"]


async def test_a_changed_result_starts_the_count_anew() -> None:
    await make_tools("answers")
    executor(Answers).script = ["one", "one", "two"]
    memory = CallMemory()
    assert await one_by_one(memory, call("answers")) == ["ok"]
    executor(Answers).script = ["one", "two", "two", "two"]
    assert await one_by_one(memory, *(call("answers") for _ in range(3))) == ["ok", "ok", "repeated_call"]


async def test_a_poller_may_go_on_while_its_answers_change() -> None:
    await make_tools("pollable")
    executor(Pollable).script = ["10 %", "20 %", "30 %", "40 %", "done", "done"]
    ended = await one_by_one(CallMemory(), *(call("pollable") for _ in range(7)))
    assert ended == ["ok"] * 6 + ["repeated_call"]


async def test_equal_calls_of_a_poller_in_one_batch_all_run() -> None:
    await make_tools("pollable")
    executor(Pollable).script = ["1", "2", "3", "4"]
    assert reasons(await run(*(call("pollable") for _ in range(4)))) == ["ok"] * 4


async def test_an_unchanged_stub_equals_its_original() -> None:
    await make_tools("answers")
    executor(Answers).script = ["the whole text", None, None]
    assert await one_by_one(CallMemory(), *(call("answers") for _ in range(3))) == ["ok", "ok", "repeated_call"]


async def test_failures_count_like_results() -> None:
    await make_tools("faulty")
    ended = await one_by_one(CallMemory(), *(call("faulty", kind="tool") for _ in range(3)))
    assert ended == ["broken", "broken", "repeated_call"]


async def test_endings_that_others_brought_about_do_not_count() -> None:
    await make_tools("critical", "answers")
    memory, ended = CallMemory(), []
    for number in range(3):
        failing = call("critical", name=str(number), fail=True, safe=False)
        ended += reasons(await run(failing, call("answers"), memory=memory))[1:]
    assert ended == ["sibling_failed"] * 3
    assert await one_by_one(memory, call("answers")) == ["ok"]


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("nothing_such", "{}", "unknown_tool"),
        ("echo", "{broken", "invalid_json"),
        ("echo", '{"a": 1}', "invalid_arguments"),
    ],
)
async def test_calls_that_cannot_run_count_too(name: str, arguments: str, reason: str) -> None:
    await make_tools("echo")
    calls = [ToolCall(name=name, arguments=arguments) for _ in range(3)]
    assert await one_by_one(CallMemory(), *calls) == [reason, reason, "repeated_call"]


async def test_the_threshold_is_a_setting(settings: Any) -> None:
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "DUPLICATE_THRESHOLD": 2}
    await make_tools("echo")
    assert await one_by_one(CallMemory(), call("echo"), call("echo")) == ["ok", "repeated_call"]

"""One call from door to row."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent_tools.contract.calls import CallStatus, Door
from agent_tools.models import AgentTool, AgentToolLog
from agent_tools.services.execution import execute_tool
from tests.fakes.tool_types import known_types

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _types() -> Iterator[None]:
    with known_types():
        yield


async def test_a_call_gives_its_result_and_leaves_a_closed_row() -> None:
    tool = await AgentTool.objects.acreate(name="Echo", slug="echo", description="d", type="echo", enabled=False)
    outcome = await execute_tool(tool, {"text": "hi"}, door=Door.API, user_id=None)
    row = await AgentToolLog.objects.aget(call_id=outcome.call.id)
    assert outcome.result.content == "hi"
    assert (row.status, row.input, row.output) == ("success", {"text": "hi"}, {"text": "hi"})


async def test_a_bug_is_one_failed_call() -> None:
    tool = await AgentTool.objects.acreate(name="Faulty", slug="faulty", description="d", type="faulty")
    outcome = await execute_tool(tool, {}, door=Door.ADMIN, user_id=None)
    assert (outcome.result.status, outcome.result.reason) == (CallStatus.ERROR, "internal_error")


async def test_an_unknown_type_is_a_failed_call_with_a_row() -> None:
    tool = await AgentTool.objects.acreate(name="Echo", slug="echo", description="d", type="echo")
    await AgentTool.objects.filter(pk=tool.pk).aupdate(sort_order=1)
    tool.type = "vanished"
    outcome = await execute_tool(tool, {}, door=Door.ADMIN, user_id=None)
    assert outcome.result.reason == "unknown_tool_type"
    assert (await AgentToolLog.objects.aget()).status == "error"

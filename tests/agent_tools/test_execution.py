from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from asgiref.sync import async_to_sync

from agent_tools.contract.calls import Door
from agent_tools.contract.ports import Ports
from agent_tools.models import AgentTool, AgentToolLog
from agent_tools.services.execution import execute_tool
from tests.fakes.ports import FakeLanguageModel
from tests.fakes.tool_types import known_types


@pytest.fixture(autouse=True)
def _types() -> Iterator[None]:
    with known_types():
        yield


def echo(**fields: Any) -> AgentTool:
    return AgentTool.objects.create(name="Echo", slug="echo", description="d", type="echo", **fields)


def run(tool: AgentTool, tool_input: object = None, door: Door = Door.API, **options: Any) -> Any:
    return async_to_sync(execute_tool)(tool, tool_input, door=door, user_id=None, **options)


@pytest.mark.django_db
def test_any_tool_runs_by_its_row_a_disabled_one_too() -> None:
    outcome = run(echo(enabled=False), {"text": "hi"})
    row = AgentToolLog.objects.get(call_id=outcome.call.id)
    assert outcome.result.content == "hi"
    assert (row.status, row.door, outcome.tool_id) == ("success", "api", row.tool_id)


@pytest.mark.django_db
def test_a_type_that_is_gone_is_a_failed_call_with_a_closed_row() -> None:
    tool = echo()
    AgentTool.objects.filter(pk=tool.pk).update(sort_order=3)
    tool.type = "vanished"
    outcome = run(tool, {})
    assert outcome.result.reason == "unknown_tool_type"
    assert "no tool type 'vanished'" in (outcome.result.error or "")
    assert AgentToolLog.objects.get().status == "error"


@pytest.mark.django_db
def test_a_configuration_that_does_not_fit_any_more_is_a_failed_call_that_names_the_key() -> None:
    tool = AgentTool.objects.create(name="w", slug="wait", description="d", type="wait")
    tool.config = {"longest": 9_999}
    outcome = run(tool, {"seconds": 0})
    assert outcome.result.reason == "invalid_config"
    assert "longest" in outcome.result.content


@pytest.mark.django_db
@pytest.mark.parametrize("wrong", [[], 5, True, "[]"])
def test_an_input_that_is_no_object_is_a_failed_call(wrong: object) -> None:
    assert run(echo(), wrong).result.reason == "not_an_object"


@pytest.mark.django_db
def test_calls_of_one_session_share_it_and_others_have_their_own() -> None:
    tool, session_id = echo(), uuid.uuid4()
    for _ in range(2):
        run(tool, session_id=session_id)
        run(tool)
    assert AgentToolLog.objects.filter(session_id=session_id).count() == 2
    assert AgentToolLog.objects.values("session_id").distinct().count() == 3


@pytest.mark.django_db(transaction=True)
def test_threads_with_loops_of_their_own_run_calls_at_the_same_time() -> None:
    tool = echo()
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(lambda number: run(tool, {"text": str(number)}), range(24)))
    assert [outcome.result.content for outcome in outcomes] == [str(number) for number in range(24)]
    assert AgentToolLog.objects.filter(status="success").count() == 24


@pytest.mark.django_db(transaction=True)
async def test_many_tasks_of_one_loop_run_calls_at_the_same_time() -> None:
    tool = await AgentTool.objects.acreate(name="Echo", slug="echo", description="d", type="echo")
    texts = [str(number) for number in range(24)]
    runs = (execute_tool(tool, {"text": text}, door=Door.API, user_id=None) for text in texts)
    assert [outcome.result.content for outcome in await asyncio.gather(*runs)] == texts


def factory(*, user_id: int | None) -> Ports:
    return Ports(model=FakeLanguageModel("42"))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "reason"),
    [(f"{__name__}.factory", ""), ("", "no_language_model"), ("no.such.factory", "no_language_model")],
)
def test_the_ports_come_from_the_factory_and_refuse_where_it_fails(path: str, reason: str, settings: Any) -> None:
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "PORTS_FACTORY": path}
    tool = AgentTool.objects.create(name="a", slug="adviser", description="d", type="adviser")
    assert run(tool).result.reason == reason

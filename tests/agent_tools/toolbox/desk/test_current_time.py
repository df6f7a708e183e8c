from __future__ import annotations

from datetime import datetime

import pytest

from agent_tools.contract.errors import ConfigError
from agent_tools.models import AgentTool
from agent_tools.services.execution import run_batch
from tests.fakes.batches import call, make_tool, reasons, run_one, scope


@pytest.mark.django_db(transaction=True)
async def test_the_time_is_told_in_the_zone_that_is_asked_for() -> None:
    await make_tool("current_time", config={"default_zone": "Europe/Berlin"})
    by_default = await run_one("current_time")
    asked = await run_one("current_time", time_zone="Asia/Kathmandu")
    assert by_default.data["time_zone"] == "Europe/Berlin"
    assert asked.data["time"].endswith("+05:45")
    told, utc = (datetime.fromisoformat(asked.data[key]) for key in ("time", "utc"))
    assert told == utc
    assert told.strftime("%A") in asked.content


@pytest.mark.django_db(transaction=True)
async def test_an_unknown_zone_is_refused_with_an_example() -> None:
    await make_tool("current_time")
    for wrong in ["Mars/Olympus", "../../etc/passwd", "", "/etc/localtime"]:
        result = await run_one("current_time", time_zone=wrong)
        assert result.reason == "invalid_arguments"
        assert "Europe/Berlin" in result.content


@pytest.mark.django_db(transaction=True)
async def test_asking_again_and_again_is_no_loop_while_the_time_changes() -> None:
    await make_tool("current_time")
    assert reasons(await run_batch([call("current_time") for _ in range(5)], scope())) == ["ok"] * 5


def test_an_unknown_zone_is_refused_in_the_configuration() -> None:
    tool = AgentTool(type="current_time", config={"default_zone": "Mars"})
    with pytest.raises(ConfigError, match="default_zone"):
        tool.load_config()

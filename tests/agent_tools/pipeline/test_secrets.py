from __future__ import annotations

import pytest

from agent_tools.contract.events import Event
from agent_tools.text.striking import REMOVED
from tests.fakes.batches import call, make_tool, row_of, run, scope
from tests.fakes.ports import FakeSink, fake_ports


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", ["", "fail", "bug"])
async def test_an_operators_secret_is_in_nothing_that_leaves(way: str, caplog: pytest.LogCaptureFixture) -> None:
    await make_tool("secretive", config={"token": "hunter2-hunter2", "pin": "no1"})
    sink = FakeSink()
    [outcome] = await run(call("secretive", text=way), within=scope(fake_ports(sink=sink)))
    row = await row_of(outcome.call.id)
    told: list[Event] = sink.events
    everything = f"{outcome} {told} {row.__dict__} {caplog.text}"
    assert "hunter2-hunter2" not in everything
    assert way == "bug" or REMOVED in everything
    assert way or "pin [secret removed], token [secret removed], pinned" in outcome.result.content

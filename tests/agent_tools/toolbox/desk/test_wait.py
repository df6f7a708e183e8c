from __future__ import annotations

import asyncio

import pytest

from agent_tools.contract.events import ToolProgressEvent
from agent_tools.contract.interrupts import StopSignal
from agent_tools.services.execution import run_batch
from tests.fakes.batches import call, make_tool, reasons, run_one, scope
from tests.fakes.ports import FakeSink, fake_ports

pytestmark = pytest.mark.django_db(transaction=True)


async def test_it_waits_and_says_so() -> None:
    await make_tool("wait")
    assert (await run_one("wait", seconds=0)).content == "Waited 0 s."
    assert (await run_one("wait", seconds=0.01)).data == {"seconds": 0.01}


async def test_it_tells_how_far_it_is_and_ends_at_once_when_stopped() -> None:
    await make_tool("wait")
    sink, stop = FakeSink(), StopSignal()
    work = asyncio.ensure_future(run_batch([call("wait", seconds=60)], scope(fake_ports(sink=sink)), stop=stop))
    [event] = await sink.until(ToolProgressEvent)
    stop.set()
    assert reasons(await asyncio.wait_for(work, 20)) == ["cancelled"]
    assert event.fraction is not None
    assert event.fraction < 0.5


@pytest.mark.parametrize(("seconds", "longest"), [(61, 60), (-1, 60), (3, 2)])
async def test_it_waits_no_longer_than_it_may(seconds: float, longest: int) -> None:
    await make_tool("wait", config={"longest": longest})
    assert (await run_one("wait", seconds=seconds)).reason == "invalid_arguments"

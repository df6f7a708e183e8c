"""A shell for a model: asked for, bounded, and on the same files as the other tools."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from agent_tools.contract.context import Scope
from agent_tools.contract.events import ToolProgressEvent
from agent_tools.contract.interrupts import StopSignal
from agent_tools.guards.sandbox import probe
from agent_tools.services.execution import run_batch
from tests.fakes.batches import call, make_tool, make_tools, reasons, run_one, scope
from tests.fakes.ports import FakeSink, fake_ports

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
async def _tool(transactional_db: None, request: pytest.FixtureRequest) -> None:
    if probe.find("auto", "").level is None:
        if os.environ.get("CI"):
            pytest.fail("No sandbox works here: CI must run these tests.")
        pytest.skip("no sandbox works here")
    await make_tool("run_bash", config=getattr(request, "param", {"ask": False}))


async def test_it_works_on_the_files_of_the_other_tools(session: Scope, workspace: Path, library: Path) -> None:
    await make_tools("read_file", "file_edit")
    (library / "book.md").write_text("a book")
    (workspace / "a.txt").write_text("one\n")
    await run_one("read_file", session, path="a.txt")
    done = await run_one(
        "run_bash", session, command="cat a.txt /library/book.md; echo two >> a.txt; echo x >> /library/book.md"
    )
    assert done.success
    assert done.content.startswith("one\na book")
    assert "Read-only file system" in done.content
    assert "[exit code 1, " in done.content
    assert done.data["exit_code"] == 1
    stale = await run_one("file_edit", session, path="a.txt", old_string="one", new_string="1")
    assert stale.reason == "changed"


@pytest.mark.parametrize("_tool", [{}], indirect=True)
async def test_it_asks_by_default(session: Scope) -> None:
    result = await run_one("run_bash", session, command="echo hi")
    assert (result.success, result.reason) == (False, "nobody_to_ask")


@pytest.mark.parametrize("_tool", [{"ask": False, "seconds": 1}], indirect=True)
async def test_its_limits_are_told(session: Scope, workspace: Path) -> None:
    late = await run_one("run_bash", session, command="echo begun; sleep 60", timeout=30)
    assert (late.success, late.reason) == (False, "time_limit")
    assert late.content == "begun\n[It was ended at its limit of 1 s.]"
    assert (await run_one("run_bash", session, command="echo 'a\0b'")).reason in {"invalid_arguments", ""}


async def test_a_stop_ends_it_at_once_with_all_that_it_started(session: Scope) -> None:
    sink, stop = FakeSink(), StopSignal()
    within = scope(fake_ports(sink=sink))
    work = asyncio.ensure_future(run_batch([call("run_bash", command="sleep 9875 & sleep 9875")], within, stop=stop))
    await sink.until(ToolProgressEvent)
    stop.set()
    assert reasons(await asyncio.wait_for(work, 20)) == ["cancelled"]
    left = [path for path in Path("/proc").glob("[0-9]*/cmdline") if b"9875" in _read(path)]  # noqa: ASYNC240
    assert left == []


async def test_without_a_sandbox_it_says_how_to_get_one(session: Scope, settings: Any) -> None:
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "SANDBOX": "off"}
    result = await run_one("run_bash", session, command="echo hi")
    assert not result.success
    assert "SANDBOX is off" in result.content


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""

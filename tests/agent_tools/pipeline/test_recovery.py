from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import uuid
from datetime import timedelta
from pathlib import Path

import pytest
from channels.db import database_sync_to_async
from django.utils import timezone

from agent_tools.contract.calls import ToolCall
from agent_tools.models import AgentToolLog
from agent_tools.services.execution import recover_interrupted, repeatable_calls
from tests.fakes.batches import call, make_tools, scope

ROOT = Path(__file__).resolve().parents[3]
RUNS_A_CALL = """
import asyncio, django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from tests.fakes.tool_types import known_types
from tests.fakes.batches import call, executor, make_tools, run
from tests.fakes.workers import Worker

async def main():
    await make_tools("worker")
    work = asyncio.ensure_future(run(call("worker", name="one", hold=True), call("worker", safe=False)))
    await executor(Worker).until_inside(1)
    print("inside", flush=True)
    await work

with known_types():
    asyncio.run(main())
"""
RECOVERS = """
import datetime, django
django.setup()
from agent_tools.services.execution import recover_interrupted
now = datetime.datetime.now(datetime.UTC)
print(len(recover_interrupted(started_before=now)), len(recover_interrupted(started_before=now)))
"""


def in_a_process(program: str, data: Path) -> subprocess.Popen[str]:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATA_DIR": str(data),
        "DATABASE_URL": f"sqlite:///{data / 'db.sqlite3'}",
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-c", program]
    return subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_a_process_that_is_killed_leaves_rows_that_the_next_one_closes(tmp_path: Path) -> None:
    with in_a_process(RUNS_A_CALL, tmp_path) as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == "inside\n"
        killed.send_signal(signal.SIGKILL)
        killed.wait(timeout=30)
    with sqlite3.connect(tmp_path / "db.sqlite3") as database:
        states = "SELECT status, reason FROM agent_tools_agenttoollog ORDER BY id"
        assert database.execute(states).fetchall() == [("running", "")] * 2
        with in_a_process(RECOVERS, tmp_path) as recovering:
            assert recovering.communicate(timeout=60)[0] == "2 0\n"
        assert database.execute(states).fetchall() == [("interrupted", "interrupted")] * 2
    database.close()


def open_row(**fields: object) -> uuid.UUID:
    row = AgentToolLog.objects.create(**{"session_id": uuid.uuid4(), "tool_slug": "x", "door": "chat", **fields})
    return row.call_id


@pytest.mark.django_db
def test_only_what_is_named_is_closed() -> None:
    session_id = uuid.uuid4()
    mine = [open_row(session_id=session_id) for _ in range(3)]
    other, done = open_row(), open_row(session_id=session_id, status="success")
    old = open_row()
    AgentToolLog.objects.filter(call_id=old).update(created_at=timezone.now() - timedelta(days=2))
    assert recover_interrupted(session_id=session_id, call_ids=[mine[0], other]) == [mine[0]]
    assert recover_interrupted(session_id=session_id) == mine[1:]
    assert recover_interrupted(started_before=timezone.now() - timedelta(days=1)) == [old]
    assert recover_interrupted(call_ids=[]) == []
    row = AgentToolLog.objects.get(call_id=mine[0])
    assert (row.status, row.reason, row.metadata) == ("interrupted", "interrupted", {"ran": "maybe"})
    assert "may have run" in row.content
    assert row.error_message == row.content
    assert AgentToolLog.objects.get(call_id=done).status == "success"


@pytest.mark.django_db
def test_closing_everything_by_accident_is_refused() -> None:
    with pytest.raises(ValueError, match="Name the session"):
        recover_interrupted()


@pytest.mark.django_db(transaction=True)
async def test_calls_that_change_nothing_may_be_repeated() -> None:
    await make_tools("echo", "worker", "faulty")
    calls = [
        call("echo"),
        call("worker", read_only=True),
        call("worker", read_only=False),
        call("faulty", kind="read_only"),
        call("unknown"),
        ToolCall(name="echo", arguments="{"),
    ]
    found = await database_sync_to_async(repeatable_calls)(calls, scope())
    assert found == {calls[0].id, calls[1].id}

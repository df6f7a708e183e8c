"""Work in processes: results, errors, deadlines, and what is left after each."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest

from agent_tools.contract.errors import ToolError, ToolTimeoutError
from agent_tools.text import pool as shared
from agent_tools.text.pool import Limits, WorkerPool
from tests.fakes import work

ROOT = Path(__file__).parents[2]
PATIENT = 60.0  # seconds that no working pool ever needs


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    started = WorkerPool(Limits(workers=2, memory=1024**3))
    yield started
    started.close()


@pytest.fixture
def pipe(tmp_path: Path) -> str:
    """A named pipe: opening it waits for a worker that writes to it, reading it for that worker's end."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return str(path)


async def until_held(pipe: str) -> TextIO:
    async with asyncio.timeout(PATIENT):
        return await asyncio.to_thread(open, pipe, encoding="utf-8")


async def until_gone(reader: TextIO) -> None:
    async with asyncio.timeout(PATIENT):
        assert not await asyncio.to_thread(reader.read)
    reader.close()


async def test_a_function_runs_in_another_process_and_its_result_comes_back(pool: WorkerPool) -> None:
    assert await pool.run(PATIENT, work.add, 2, second=3) == 5
    assert await pool.run(PATIENT, work.process_id) != os.getpid()


async def test_what_it_raises_is_raised_here_with_where_it_happened(pool: WorkerPool) -> None:
    with pytest.raises(ValueError, match="not this") as caught:
        await pool.run(PATIENT, work.refuse, "not this")
    assert any("in refuse" in note for note in caught.value.__notes__)


async def test_an_error_or_a_result_that_cannot_travel_breaks_nothing(pool: WorkerPool) -> None:
    with pytest.raises(ToolError, match="StubbornError: stubborn"):
        await pool.run(PATIENT, work.raise_stubborn)
    with pytest.raises((AttributeError, TypeError, ToolError)):
        await pool.run(PATIENT, work.unpicklable)
    with pytest.raises((AttributeError, TypeError)):
        await pool.run(PATIENT, work.add, 1, lambda: 1)  # type: ignore[arg-type]
    assert await pool.run(PATIENT, work.add, 1, 1) == 2


async def test_a_deadline_is_kept_and_the_worker_killed(pool: WorkerPool, pipe: str) -> None:
    await pool.run(PATIENT, work.add, 1, 1)
    held = asyncio.create_task(until_held(pipe))
    with pytest.raises(ToolTimeoutError, match="stopped after 2 seconds"):
        await pool.run(2.0, work.hold_and_spin, pipe)
    await until_gone(await held)
    assert await pool.run(PATIENT, work.add, 1, 1) == 2


async def test_a_cancelled_wait_kills_the_worker_too(pool: WorkerPool, pipe: str) -> None:
    waiting = asyncio.create_task(pool.run(PATIENT, work.hold_and_spin, pipe))
    reader = await until_held(pipe)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await until_gone(reader)
    assert await pool.run(PATIENT, work.add, 1, 1) == 2


async def test_the_event_loop_goes_on_meanwhile(pool: WorkerPool) -> None:
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            beats += 1
            await asyncio.sleep(0)

    heart = asyncio.create_task(beat())
    with pytest.raises(ToolTimeoutError):
        await pool.run(0.5, work.spin)
    heart.cancel()
    assert beats > 100


async def test_a_worker_that_dies_fails_its_task_alone(pool: WorkerPool) -> None:
    results = await asyncio.gather(
        pool.run(PATIENT, work.die), pool.run(PATIENT, work.add, 1, 1), return_exceptions=True
    )
    assert isinstance(results[0], ToolError)
    assert results[0].reason == "worker_died"
    assert results[1] == 2


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS does not bound address space")
async def test_memory_is_bounded(pool: WorkerPool) -> None:
    assert await pool.run(PATIENT, work.take_memory, 10**6) == 10**6
    with pytest.raises(MemoryError):
        await pool.run(PATIENT, work.take_memory, 4 * 1024**3)
    assert await pool.run(PATIENT, work.add, 1, 1) == 2


async def test_more_tasks_than_workers_wait_for_their_turn(pool: WorkerPool) -> None:
    assert await asyncio.gather(*(pool.run(PATIENT, work.add, number, 0) for number in range(20))) == list(range(20))


async def test_waiting_for_a_worker_counts(pipe: str) -> None:
    small = WorkerPool(Limits(workers=1))
    try:
        busy = asyncio.create_task(small.run(PATIENT, work.hold_and_spin, pipe))
        reader = await until_held(pipe)
        with pytest.raises(ToolTimeoutError):
            await small.run(0.2, work.add, 1, 1)
        busy.cancel()
        await until_gone(reader)
        assert await small.run(PATIENT, work.add, 1, 1) == 2
    finally:
        small.close()


async def test_a_closed_pool_starts_again_when_it_is_needed(pool: WorkerPool) -> None:
    first = await pool.run(PATIENT, work.process_id)
    pool.close()
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
    assert await pool.run(PATIENT, work.add, 1, 1) == 2


def test_one_pool_serves_event_loops_one_after_the_other() -> None:
    for _ in range(3):
        assert asyncio.run(shared.run(PATIENT, work.add, 1, 1)) == 2


async def test_a_worker_carries_no_framework(pool: WorkerPool) -> None:
    loaded = await pool.run(PATIENT, work.modules)
    assert [name for name in loaded if name.split(".")[0] in {"django", "pydantic", "httpx", "openai"}] == []


def test_a_process_that_used_the_pool_ends_without_a_word() -> None:
    script = (
        "import asyncio\n"
        "from agent_tools.text.html.convert import convert\n"
        "print(asyncio.run(convert('<h1>x</h1>', timeout=60)).text)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", script],
        cwd=ROOT, capture_output=True, text=True, timeout=PATIENT, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "# x\n", "")


def test_the_main_module_is_not_run_again_in_a_worker() -> None:
    script = (
        "import asyncio\n"
        "from agent_tools.text import pool\n"
        "from tests.fakes import work\n"
        "print('once', asyncio.run(pool.run(60, work.add, 1, 1)))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-"], input=script, cwd=ROOT, capture_output=True, text=True, timeout=PATIENT, check=False
    )
    assert (ended.returncode, ended.stdout) == (0, "once 2\n"), ended.stderr


def test_a_forked_child_has_a_pool_of_its_own() -> None:
    script = (
        "import asyncio, os\n"
        "from agent_tools.text import pool\n"
        "from tests.fakes import work\n"
        "first = asyncio.run(pool.run(60, work.process_id))\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    code = int(asyncio.run(pool.run(60, work.process_id)) == first)\n"
        "    pool.close()\n"
        "    os._exit(code)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), asyncio.run(pool.run(60, work.add, 1, 1)))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=PATIENT, check=False
    )
    assert (ended.returncode, ended.stdout) == (0, "0 2\n"), ended.stderr

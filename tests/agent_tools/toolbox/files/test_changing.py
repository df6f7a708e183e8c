"""Changes that are ended in the middle: a process that is killed, a call that is given up."""

from __future__ import annotations

import asyncio
import fcntl
import os
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_tools.contract.errors import RefusedError
from agent_tools.guards.files.roots import Root, Roots
from agent_tools.guards.files.writing import replace
from agent_tools.toolbox.files.changing import Target, in_thread
from agent_tools.toolbox.files.stamps import Known, Stamp
from tests.fakes.roots import names_in

PATIENCE = 60.0
OLD, SIZE = b"o" * 1_000_000, 1_000_000
WRITER = """
import sys
from pathlib import Path
from agent_tools.guards.files.roots import Root, Roots
from agent_tools.guards.files.writing import replace

roots = Roots([Root("workspace", Path(sys.argv[1]), writable=True)])
hold = sys.argv[2] == "hold"

def check(state):
    print("about to replace", flush=True)
    if hold:
        sys.stdin.read()

turn = 0
while True:
    turn += 1
    replace(roots, roots.find("f"), (b"a", b"b")[turn % 2] * int(sys.argv[3]), check)
"""


@pytest.mark.parametrize(("how", "turns"), [("hold", 1), ("run", 1), ("run", 2), ("run", 3), ("run", 7), ("run", 20)])
def test_a_writer_that_is_killed_leaves_a_whole_file(tmp_path: Path, how: str, turns: int) -> None:
    path = tmp_path / "f"
    path.write_bytes(OLD)
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path), how, str(SIZE)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[4],
    ) as writer:
        assert writer.stdout is not None
        for _ in range(turns):
            assert writer.stdout.readline() == b"about to replace\n"
        writer.kill()
    octets = path.read_bytes()
    assert octets in ({OLD} if how == "hold" else {OLD, b"a" * SIZE, b"b" * SIZE})


@pytest.fixture
def target(tmp_path: Path) -> Target:
    """A file that a session has read."""
    path = tmp_path / "f"
    path.write_bytes(b"old")
    roots = Roots([Root("workspace", tmp_path, writable=True)])
    return Target(roots, roots.find("f"), Known(Stamp.of(path.stat())), uuid.uuid4())


def put(target: Target, begun: threading.Event | None = None) -> Callable[[], Stamp]:
    assert target.known is not None
    before = target.known.stamp

    def work() -> Stamp:
        if begun:
            begun.set()
        return target.put(b"new", before)

    return work


async def test_a_call_that_is_given_up_ends_with_its_thread_and_writes_nothing(target: Target, tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    begun = threading.Event()
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)  # another writer is at it
        work = asyncio.ensure_future(in_thread(target, put(target, begun)))
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        for _ in range(3):
            work.cancel()
            await asyncio.wait([work], timeout=0.01)
            assert not work.done()
    finally:
        os.close(folder)
    async with asyncio.timeout(PATIENCE):
        await asyncio.wait([work])
    assert work.cancelled()
    assert names_in(tmp_path) == ["f"]
    assert (tmp_path / "f").read_bytes() == b"old"


async def test_what_happens_to_a_file_before_it_is_replaced_is_noticed(target: Target, tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"another")
    with pytest.raises(RefusedError, match="was changed since you read it") as caught:
        await in_thread(target, put(target))
    assert caught.value.reason == "changed"
    with pytest.raises(RefusedError, match="was made by somebody else"):
        await in_thread(target, lambda: target.put(b"new", None))
    path.unlink()
    with pytest.raises(RefusedError, match="was deleted meanwhile"):
        await in_thread(target, put(target))
    assert names_in(tmp_path) == []


COUNTER = """
import sys
from pathlib import Path
from agent_tools.contract.errors import RefusedError
from agent_tools.guards.files.opening import opened
from agent_tools.guards.files.roots import Root, Roots
from agent_tools.guards.files.writing import replace
from agent_tools.toolbox.files.stamps import Stamp

roots = Roots([Root("workspace", Path(sys.argv[1]), writable=True)])
place = roots.find("f")
left = int(sys.argv[2])
while left:
    with opened(roots, place) as file:
        stamp, number = Stamp.of(file), int(file.read(100))

    def check(state):
        if Stamp.of(state) != stamp:
            raise RefusedError("changed")

    try:
        replace(roots, place, b"%08d" % (number + 1), check)
        left -= 1
    except RefusedError:
        pass
"""


def test_no_update_is_lost_between_processes(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"00000000")
    command = [sys.executable, "-c", COUNTER, str(tmp_path), "50"]
    counters = [subprocess.Popen(command, cwd=Path(__file__).parents[4]) for _ in range(4)]
    assert [counter.wait(PATIENCE) for counter in counters] == [0, 0, 0, 0]
    assert (tmp_path / "f").read_bytes() == b"00000200"


def test_a_file_is_later_than_the_one_it_replaces_even_within_a_tick_of_the_clock(target: Target) -> None:
    path = target.place.path
    for seconds, is_later in ((0.5, True), (1_000_000, False)):  # what lies far ahead is no tick
        ahead = time.time_ns() + int(seconds * 1e9)
        os.utime(path, ns=(ahead, ahead))
        state = replace(target.roots, target.place, b"old", lambda _: None)
        assert (state.st_mtime_ns > ahead) == is_later
        assert Stamp.of(path.stat()) == Stamp.of(state)

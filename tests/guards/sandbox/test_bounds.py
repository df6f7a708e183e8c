"""What a command may use, and what is left of it when it is over: nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from agent_tools.guards.sandbox import tree
from agent_tools.guards.sandbox.box import Level, Limits
from agent_tools.guards.sandbox.output import HeadAndTail
from agent_tools.guards.sandbox.running import Canceller
from tests.fakes.sandbox import ROOT, SMALL, running, sh, within


@pytest.mark.parametrize(
    "command",
    [
        "sleep 9871 & echo said",
        "setsid sleep 9871 & echo said",
        "(setsid sleep 9871 &) ; echo said",
        "trap '' TERM; (trap '' TERM HUP; sleep 9871) & disown -a; echo said",
        "nohup sleep 9871 >/dev/null 2>&1 & echo said",
    ],
)
def test_what_a_command_leaves_running_ends_with_it(level: Level, home: Path, command: str) -> None:
    began = time.monotonic()
    ended = sh(level, home, command)
    assert (ended.exit_code, ended.output) == (0, "said\n")
    assert time.monotonic() - began < 15
    assert not running("9871")


def test_who_ignores_the_request_to_end_is_killed(level: Level, home: Path) -> None:
    ended = sh(level, home, "trap '' TERM; echo said; sleep 9872; sleep 9872", Limits(seconds=0.3))
    assert (ended.exit_code, ended.limit, ended.output) == (None, "time", "said\n")
    assert not running("9872")


def test_a_cancelled_command_is_gone_when_the_run_returns(level: Level, home: Path) -> None:
    canceller = Canceller()
    timer = threading.Timer(0.3, canceller.cancel)
    timer.start()
    ended = sh(level, home, "setsid sleep 9873 & sleep 9873", canceller=canceller)
    assert ended.limit == "cancelled"
    assert not running("9873")


def test_a_command_ends_with_the_server(level: Level, home: Path) -> None:
    code = f"""
from pathlib import Path
from agent_tools.guards.sandbox.box import Box, Level, Limits
from agent_tools.guards.sandbox.running import run
run(Level({str(level)!r}), "setsid sleep 9876 & sleep 9876", Box(workspace=Path({str(home)!r})), Limits())
"""
    server = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    try:
        assert within(20, lambda: len(running("9876")) >= 2)
    finally:
        server.kill()
        server.wait()
    assert within(20, lambda: not running("9876"))


def test_an_endless_output_is_kept_by_its_ends(level: Level, home: Path) -> None:
    ended = sh(level, home, "echo begin; yes | head -c 9000000; echo; echo end")
    assert ended.output.startswith("begin\ny\n")
    assert ended.output.endswith("y\n\nend\n")
    assert f"{ended.cut:,} bytes of output are left out" in ended.output
    assert len(ended.output) < SMALL.output + 200


@pytest.mark.parametrize(
    ("command", "limit"),
    [
        ("for n in 1 2 3 4 5 6; do head -c 12000000 /dev/zero > f$n; done; sleep 60", "workspace"),
        ("for n in $(seq 2000); do : > n$n; done; sleep 60", "workspace"),
        ("tail /dev/zero & tail /dev/zero & sleep 60", "memory"),
    ],
)
def test_what_grows_without_end_is_ended(level: Level, home: Path, command: str, limit: str) -> None:
    ended = sh(level, home, command)
    # A limit of one process may stop it before that of all together does.
    assert ended.limit in {limit, "time"} if limit == "memory" else ended.limit == limit
    assert ended.seconds < 20 or limit == "memory"


def test_more_processes_than_allowed_are_held_by_the_kernel_or_ended(level: Level, home: Path) -> None:
    ended = sh(level, home, "for n in $(seq 300); do sleep 30 & done; wait")
    assert ended.limit == "processes" or "temporarily unavailable" in ended.output


def test_one_file_and_the_temporary_space_are_bounded(level: Level, home: Path) -> None:
    ended = sh(
        level, home, "head -c 30000000 /dev/zero > big; stat -c %s big; head -c 300000000 /dev/zero > /tmp/t; echo $?"
    )
    assert (home / "big").stat().st_size == SMALL.file_size
    assert ended.output.strip().endswith(("153", "1"))


def test_killing_everything_kills_the_command_alone(level: Level, home: Path) -> None:
    ended = sh(level, home, "kill -9 -1; echo still here")
    assert ended.limit == ""
    assert tree.namespace_of(os.getpid())


def test_escape_sequences_of_a_terminal_do_not_reach_the_reader(level: Level, home: Path) -> None:
    ended = sh(level, home, r"printf '\033[31mred\033[0m \033]0;title\007plain \377'")
    assert ended.output == "red plain \ufffd"


def test_head_and_tail_are_exact() -> None:
    kept = HeadAndTail(10)
    for octet in b"0123456789":
        kept.take(bytes([octet]))
    assert (kept.text(), kept.cut) == ("0123456789", 0)
    kept.take(b"abc" * 10)
    assert kept.text() == "012345\n[… 30 bytes of output are left out …]\nabca"[:-4] + "cabc"
    assert kept.cut == 30

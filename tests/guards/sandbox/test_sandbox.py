"""What a command in a sandbox sees, reaches and leaves behind: at each level that isolates, by trying."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agent_tools.guards.sandbox import probe, tree
from agent_tools.guards.sandbox.box import MEBI, Box, Level, Limits
from agent_tools.guards.sandbox.output import HeadAndTail
from agent_tools.guards.sandbox.running import Canceller, Ended, run

ROOT = Path(__file__).resolve().parents[3]
SMALL = Limits(seconds=20.0, processes=40, memory=400 * MEBI, workspace=60 * MEBI, file_size=20 * MEBI, files=500)


@pytest.fixture(params=[Level.BUBBLEWRAP, Level.UNSHARE])
def level(request: pytest.FixtureRequest) -> Level:
    found: Level = request.param
    why = probe.failure_of(found)
    if why and found is Level.BUBBLEWRAP and os.environ.get("CI"):
        pytest.fail(f"{why} CI must run these tests.")
    if why:
        pytest.skip(why)
    return found


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A workspace beside another and a project with a secret."""
    for name in ("mine", "other", "project"):
        (tmp_path / name).mkdir(mode=0o700)
    (tmp_path / "other" / "secret").write_text("the secret")
    (tmp_path / "project" / ".env").write_text("the secret")
    yield tmp_path / "mine"
    shutil.rmtree(tmp_path / "mine", ignore_errors=True)


def usage(home: Path) -> tuple[int, int]:
    states = []
    for folder, _names, files in os.walk(home):
        for name in files:
            try:
                states.append((Path(folder) / name).lstat())
            except OSError:
                continue
    return sum(state.st_blocks * 512 for state in states), len(states)


def sh(level: Level, home: Path, command: str, limits: Limits = SMALL, canceller: Canceller | None = None) -> Ended:
    return run(level, command, Box(workspace=home), limits, usage=lambda: usage(home), canceller=canceller)


def test_a_command_works_in_its_workspace(level: Level, home: Path) -> None:
    (home / "in.txt").write_text("given")
    ended = sh(level, home, "cat in.txt; echo made > out.txt; echo oops >&2; pwd; exit 3")
    assert (ended.exit_code, ended.output) == (3, "givenoops\n/workspace\n")
    assert (home / "out.txt").read_text() == "made\n"
    (home / "out.txt").write_text("and written from outside")
    assert sh(level, home, "rm out.txt").exit_code == 0


def test_nothing_of_this_machine_is_seen(level: Level, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERVER_SECRET", "the secret")
    outside = home.parent
    ended = sh(
        level,
        home,
        f"""cat {outside}/other/secret {outside}/project/.env /workspace/../other/secret {Path.cwd()}/manage.py
        ls -d {outside} {Path.cwd()} /home /root /var /run /mnt /srv /opt /old /sys
        cat /etc/shadow /etc/hosts /etc/machine-id; env; cat /proc/*/environ /proc/*/cmdline
        ls -l /proc/*/fd /proc/*/root /proc/*/cwd; cat /proc/mounts | grep -c workspace
        ln -s {outside}/other/secret link; cat link; find / -name secret -not -path '/proc/*' 2>/dev/null; echo end""",
    )
    assert ended.exit_code == 0
    assert "the secret" not in ended.output
    assert "root:" not in ended.output
    for folder in ("/home", "/root", "/var", "/run", "/sys", str(outside)):
        assert f"ls: cannot access '{folder}'" in ended.output


def test_nothing_outside_the_workspace_is_written(level: Level, home: Path) -> None:
    ended = sh(
        level,
        home,
        """for place in / /usr /etc /bin /dev /proc /lib /usr/bin; do touch $place/x && echo "WROTE $place"; done
        for name in kernel/printk kernel/core_pattern vm/swappiness; do
            cat /proc/sys/$name > /proc/sys/$name && echo WROTE sysctl; done
        echo h > /proc/sysrq-trigger && echo WROTE sysrq; head -c 1 /proc/kcore | grep . && echo READ memory
        mount -t tmpfs none /workspace && echo MOUNTED
        unshare -Ur true && echo NESTED; chroot / true && echo CHROOTED; mknod dev b 8 0 && echo NODE
        grep -q 'CapEff:.0000000000000000' /proc/self/status && echo no capabilities
        grep -q 'NoNewPrivs:.1' /proc/self/status && echo no new privileges""",
    )
    for word in ("WROTE", "READ", "MOUNTED", "NESTED", "CHROOTED", "NODE"):
        assert word not in ended.output
    assert "no capabilities\nno new privileges" in ended.output


def test_no_network_is_reached(level: Level, home: Path) -> None:
    accepted: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        server.settimeout(20)
        abstract.bind(b"\0agent-tools-test-%d" % os.getpid())
        abstract.listen()
        port = server.getsockname()[1]
        command = f"""
import socket
for name, family, address in [("loopback", socket.AF_INET, ("127.0.0.1", {port})),
                              ("world", socket.AF_INET, ("93.184.215.14", 80)),
                              ("abstract", socket.AF_UNIX, b"\\0agent-tools-test-{os.getpid()}")]:
    with socket.socket(family) as one:
        one.settimeout(3)
        try:
            one.connect(address)
            print("REACHED", name)
        except OSError as error:
            print("held", name)
try:
    socket.getaddrinfo("example.org", 80); print("REACHED names")
except OSError:
    print("held names")
"""
        (home / "try.py").write_text(command)
        ended = sh(level, home, "/usr/bin/env python3 try.py || perl -e 'print \"no python\"'")
    assert accepted == []
    assert "REACHED" not in ended.output
    assert ended.output.count("held") == 4 or "no python" in ended.output


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
    ended = sh(level, home, "echo begin; yes | head -c 20000000; echo; echo end")
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


def within(seconds: float, test: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if test():
            return True
        time.sleep(0.05)
    return False


def running(argument: str) -> list[int]:
    """Return the processes of this machine with an argument."""
    found = []
    for path in Path("/proc").iterdir():
        try:
            if path.name.isdigit() and argument.encode() in (path / "cmdline").read_bytes().split(b"\0"):
                found.append(int(path.name))
        except OSError:
            continue
    return found

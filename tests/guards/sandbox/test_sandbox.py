"""What a command in a sandbox sees and reaches: at each level that isolates, by trying."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from agent_tools.guards.sandbox.box import Level
from tests.fakes.sandbox import sh


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
        ln -s {outside}/other/secret link; cat link
        find / -maxdepth 3 -name secret -not -path '/proc/*' 2>/dev/null; echo end""",
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

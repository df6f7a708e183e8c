"""The trials: commands that try to get out of the sandbox, and how to tell that they did not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from agent_tools.guards.sandbox.box import MEBI, Limits
from agent_tools.guards.sandbox.running import Ended

OUT = "GOT-OUT"
"""What a command says when it got where it must not."""
SMALL = Limits(
    seconds=8.0, memory=256 * MEBI, processes=32, file_size=4 * MEBI, workspace=12 * MEBI, files=500, temporary=8 * MEBI
)
Judge = Callable[[Ended], bool]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the trials aim at: a listener's port, a secret in a file, in another workspace and in the environment, the
    project's folder, and a number that only this run's leftover process has.
    """

    port: int
    secret: str
    secret_file: Path
    project: Path
    leftover: int


@dataclass(frozen=True, slots=True)
class Trial:
    """One way out: its name for people, the command that tries it, the limits it runs under, and what tells that it
    is held.
    """

    name: object
    command: str
    held: Judge
    limits: Limits = SMALL


def trials(aims: Surroundings) -> list[Trial]:
    """Return every trial."""
    return [*_ways_out(aims), *_growths()]


def _ways_out(aims: Surroundings) -> list[Trial]:
    def silent(ended: Ended) -> bool:
        return OUT not in ended.output and aims.secret not in ended.output and not ended.limit

    def reach(host: str, port: int) -> str:
        return f"timeout 3 bash -c 'exec 3<>/dev/tcp/{host}/{port}' 2>&1 && echo {OUT}; true"

    return [
        Trial(_("This server over loopback"), reach("127.0.0.1", aims.port), silent),
        Trial(_("Another address on the network"), reach("192.0.2.1", 80) + "; " + reach("1.1.1.1", 53), silent),
        Trial(_("Names on the network"), f"timeout 3 getent hosts example.org && echo {OUT}; true", silent),
        Trial(_("A file of this server"), f"cat {aims.secret_file}; cat /etc/shadow && echo {OUT}; true", silent),
        Trial(
            _("The project and its data"),
            f"ls {aims.project} && echo {OUT}; ls {aims.secret_file.parent} && echo {OUT}; true",
            silent,
        ),
        Trial(_("The server's environment"), "env; cat /proc/*/environ; true", silent),
        Trial(
            pgettext_lazy("a trial", "Writing outside the workspace"),
            f"for place in / /usr /etc /dev /bin; do touch $place/x && echo {OUT}; done 2>&1; "
            f"cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness && echo {OUT}; true",
            silent,
        ),
        Trial(
            _("Privileges"),
            f"grep -q 'CapEff:.0000000000000000' /proc/self/status || echo {OUT}; "
            f"grep -q 'NoNewPrivs:.1' /proc/self/status || echo {OUT}; "
            f"unshare -Ur true && echo {OUT}; mount -t tmpfs none /workspace && echo {OUT}; true",
            silent,
        ),
    ]


def _growths() -> list[Trial]:
    ends = replace(SMALL, seconds=1.0)
    return [
        Trial(
            _("More processes than it may have"),
            "for n in $(seq 300); do sleep 30 & done; wait",
            lambda ended: ended.limit == "processes" or "temporarily unavailable" in ended.output,
        ),
        Trial(
            _("Memory without end"),
            "tail /dev/zero; echo ended",
            lambda ended: ended.limit == "memory" or "ended" in ended.output,
        ),
        Trial(
            _("A full disk"),
            "for n in 1 2 3 4 5 6 7 8; do head -c 4000000 /dev/zero > f$n; done; sleep 60",
            lambda ended: ended.limit == "workspace",
        ),
        Trial(
            _("One huge file"), "head -c 9000000 /dev/zero > f; stat -c %s f", lambda ended: "4194304" in ended.output
        ),
        Trial(
            _("Output without end"),
            "yes",
            lambda ended: ended.limit == "time" and len(ended.output) < 2 * SMALL.output,
            ends,
        ),
        Trial(
            _("A command that will not end"),
            "trap '' TERM; sleep 60; sleep 60",
            lambda ended: ended.limit == "time" and ended.seconds < SMALL.seconds * 3,
            ends,
        ),
    ]

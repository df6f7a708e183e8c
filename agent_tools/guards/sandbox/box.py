"""What a command may see and use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

MEBI = 1_048_576
WORKSPACE = "/workspace"
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
    "HOME": WORKSPACE,
    "TMPDIR": "/tmp",  # noqa: S108 - the sandbox's own
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TERM": "dumb",
    "USER": "user",
}
SHELL = ("bash", "--noprofile", "--norc", "-c")
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Folders of the system that a command sees, read-only; some are links into the first."""
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime")
KERNEL_READ_ONLY = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")
"""Where whoever is root outside could set up the kernel from inside, capabilities or not (proc_sys(5))."""
KERNEL_MASKED = (
    "/proc/kcore",
    "/proc/keys",
    "/proc/timer_list",
    "/proc/kmsg",
    "/proc/sched_debug",
    "/proc/latency_stats",
)
"""Where the kernel tells of the whole machine."""
ACCOUNTS = "user:x:1000:1000:user:/workspace:/bin/bash\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n"
GROUPS = "user:x:1000:\nnogroup:x:65534:\n"


class Level(StrEnum):
    """How well a command is kept apart, the best first."""

    BUBBLEWRAP = "bubblewrap"
    UNSHARE = "unshare"
    LIMITS_ONLY = "limits only"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a command may use: seconds, octets of memory a process and of all together, processes, octets of one file,
    of the workspace and of /tmp, files in the workspace, octets of output that are kept.
    """

    seconds: float = 60.0
    memory: int = 1024 * MEBI
    processes: int = 128
    file_size: int = 256 * MEBI
    workspace: int = 1024 * MEBI
    files: int = 100_000
    temporary: int = 128 * MEBI
    output: int = 30_000
    open_files: int = 1_024


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """What a command finds: its workspace, folders it may read (their path inside → outside), and folders of this
    machine that it must not see even where they lie in one that it sees.
    """

    workspace: Path
    readable: Mapping[str, Path] = field(default_factory=dict)
    hidden: tuple[Path, ...] = ()

    def covered(self) -> list[Path]:
        """Return the hidden folders that lie in folders of the system."""
        return [path for path in self.hidden if path.is_dir() and any(Path(one) in path.parents for one in SYSTEM)]


def bounded(command: str, limits: Limits, *, processes: bool) -> list[str]:
    """Return the shell's command line for a command under the limits of a process (bash, `ulimit`)."""
    kibi = 1_024
    bounds = [
        f"ulimit -v {limits.memory // kibi}",
        f"ulimit -f {max(1, limits.file_size // kibi)}",
        f"ulimit -t {int(limits.seconds) + 2}",
        f"ulimit -n {limits.open_files}",
        "ulimit -c 0",
    ]
    if processes:
        bounds.append(f"ulimit -u {limits.processes}")
    return [*SHELL, "; ".join([*bounds, 'exec bash --noprofile --norc -c "$0"']), command]

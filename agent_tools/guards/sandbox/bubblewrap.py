"""The command line of bubblewrap (bwrap(1)), which makes the namespaces and the root that a command sees."""

from __future__ import annotations

from pathlib import Path

from agent_tools.guards.sandbox.box import (
    ENVIRONMENT,
    KERNEL_MASKED,
    KERNEL_READ_ONLY,
    SYSTEM,
    SYSTEM_FILES,
    WORKSPACE,
    Box,
    Limits,
)

PROGRAM = "bwrap"
SHARED_MEMORY = 16 * 1_048_576


def options(box: Box, limits: Limits, passwd: int, group: int) -> list[str]:
    """Return bubblewrap's options; the numbers are descriptors from which it reads the two files of accounts."""
    return [
        *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
        *("--disable-userns", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *("--uid", "1000", "--gid", "1000", "--hostname", "sandbox"),
        *_system(),
        *("--dir", "/etc", "--file", str(passwd), "/etc/passwd", "--file", str(group), "/etc/group"),
        *("--proc", "/proc", "--dev", "/dev", "--size", str(SHARED_MEMORY), "--tmpfs", "/dev/shm"),  # noqa: S108 - the sandbox's own
        *(part for name in KERNEL_READ_ONLY for part in ("--ro-bind-try", name, name)),
        *(part for name in KERNEL_MASKED if Path(name).exists() for part in ("--ro-bind", "/dev/null", name)),
        *("--size", str(limits.temporary), "--tmpfs", "/tmp"),  # noqa: S108 - the sandbox's own
        *("--bind", str(box.workspace), WORKSPACE),
        *(part for inside, path in box.readable.items() for part in ("--ro-bind", str(path), inside)),
        *(part for path in box.covered() for part in ("--tmpfs", str(path), "--remount-ro", str(path))),
        *("--chdir", WORKSPACE, "--remount-ro", "/dev", "--remount-ro", "/", "--clearenv"),
        *(part for name, value in ENVIRONMENT.items() for part in ("--setenv", name, value)),
    ]


def _system() -> list[str]:
    parts: list[str] = []
    for name in SYSTEM:
        path = Path(name)
        if path.is_symlink():
            parts += ["--symlink", str(path.readlink()), name]
        elif path.is_dir():
            parts += ["--ro-bind", name, name]
    for name in SYSTEM_FILES:
        parts += ["--ro-bind-try", name, name]
    return parts

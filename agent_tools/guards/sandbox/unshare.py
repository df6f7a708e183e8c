"""The same with util-linux alone (unshare(1), mount(8), pivot_root(8), setpriv(1)): a script that builds the root."""

from __future__ import annotations

import shlex
from pathlib import Path

from agent_tools.guards.sandbox.box import (
    ACCOUNTS,
    ENVIRONMENT,
    GROUPS,
    KERNEL_MASKED,
    KERNEL_READ_ONLY,
    SHELL,
    SYSTEM,
    SYSTEM_FILES,
    WORKSPACE,
    Box,
    Limits,
)

PROGRAM = "unshare"
WITH_PARENT = ("setpriv", "--pdeathsig", "KILL")
"""Ends the sandbox when the thread that started it is gone, the server with it."""
OPTIONS = (
    "--user",
    "--map-root-user",
    "--mount",
    "--pid",
    "--net",
    "--ipc",
    "--uts",
    "--cgroup",
    "--fork",
    "--kill-child",
)
DEVICES = ("null", "zero", "full", "random", "urandom")
SHARED_MEMORY = 16 * 1_048_576
UNPRIVILEGED = "setpriv --bounding-set=-all --inh-caps=-all --ambient-caps=-all --no-new-privs"
FIRST = '"$@"; exit $?'
"""The first process of a PID namespace is spared most signals, so the command is its child."""
_READ_ONLY = "remount,bind,ro,nosuid"


def script(box: Box, limits: Limits, root: Path) -> str:
    """Return the script that is run as the namespaces' root: it builds a root in the empty folder `root`, moves into
    it, gives up every capability and runs what follows as its arguments.
    """
    quote = shlex.quote
    lines = [
        "set -e",
        f"mount -t tmpfs -o size=4m,mode=755 tmpfs {quote(str(root))}",
        f"cd {quote(str(root))}",
        "mkdir -p etc proc dev tmp workspace old",
        f"printf %s {quote(ACCOUNTS)} > etc/passwd; printf %s {quote(GROUPS)} > etc/group",
    ]
    for name in SYSTEM:
        path = Path(name)
        if path.is_symlink():
            lines.append(f"ln -s {quote(str(path.readlink()))} .{name}")
        elif path.is_dir():
            lines.append(f"mkdir -p .{name}; mount --rbind {name} .{name}; mount -o {_READ_ONLY} .{name}")
    for name in (one for one in SYSTEM_FILES if Path(one).exists()):
        make = f"mkdir -p .{name}" if Path(name).is_dir() else f"touch .{name}"
        lines.append(f"{make}; mount --bind {name} .{name}; mount -o {_READ_ONLY} .{name}")
    lines += [f"touch dev/{name}; mount --bind /dev/{name} dev/{name}" for name in DEVICES]
    lines += [
        "ln -s /proc/self/fd dev/fd; ln -s /proc/self/fd/0 dev/stdin; ln -s /proc/self/fd/1 dev/stdout",
        "ln -s /proc/self/fd/2 dev/stderr; mkdir dev/shm",
        f"mount -t tmpfs -o size={SHARED_MEMORY},nosuid,nodev tmpfs dev/shm",
        f"mount -t tmpfs -o size={limits.temporary},nosuid,nodev,mode=1777 tmpfs tmp",
        f"mount --bind {quote(str(box.workspace))} .{WORKSPACE}; mount -o remount,bind,nosuid,nodev .{WORKSPACE}",
    ]
    for inside, path in box.readable.items():
        lines.append(f"mkdir -p .{inside}; mount --bind {quote(str(path))} .{inside}; mount -o {_READ_ONLY} .{inside}")
    lines += [f"mount -t tmpfs -o ro,size=4k tmpfs .{quote(str(path))}" for path in box.covered()]
    variables = " ".join(f"{name}={quote(value)}" for name, value in ENVIRONMENT.items())
    lines += [
        "mount -t proc proc proc",
        "echo 0 > proc/sys/user/max_user_namespaces",
        *(f"mount --bind .{name} .{name}; mount -o {_READ_ONLY} .{name}" for name in _there(KERNEL_READ_ONLY)),
        *(f"mount --bind dev/null .{name}" for name in _there(KERNEL_MASKED)),
        "pivot_root . old; cd /; umount -l old; rmdir old; mount -o remount,bind,ro /",
        f"cd {WORKSPACE}",
        'for descriptor in 3 4 5 6 7 8 9; do eval "exec $descriptor>&-"; done',
        f'exec {UNPRIVILEGED} env -i {variables} {shlex.join(SHELL)} {quote(FIRST)} bash "$@"',
    ]
    return "\n".join(lines)


def _there(names: tuple[str, ...]) -> list[str]:
    return [name for name in names if Path(name).exists()]

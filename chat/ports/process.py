"""What this process has of the chat: a runner of turns, open sockets, and an orderly end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from chat.conf import conf
from chat.ports.factory import turn_ports
from chat.turn.runner import Runner

Closer = Callable[[int], Awaitable[None]]
LEAVING = 4012
"""The code with which sockets close when the process ends: connect anew."""


class Process:
    """One event loop's share. `sockets` holds what closes each open socket."""

    def __init__(self) -> None:
        self.runner = Runner(turn_ports)
        self.sockets: set[Closer] = set()
        self.leaving = False

    async def leave(self) -> None:
        """Leave every turn in good order, then close every socket with 4012."""
        self.leaving = True
        await self.runner.drain(conf.drain_seconds)
        await asyncio.gather(*(close(LEAVING) for close in list(self.sockets)), return_exceptions=True)


_processes: dict[asyncio.AbstractEventLoop, Process] = {}


def process() -> Process:
    """Return the share of the running event loop; its runner works from now on."""
    loop = asyncio.get_running_loop()
    if loop not in _processes:
        for old in [known for known in _processes if known.is_closed()]:
            del _processes[old]
        _processes[loop] = Process()
    _processes[loop].runner.begin()
    return _processes[loop]

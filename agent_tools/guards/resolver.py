"""Looking names up without holding the event loop, in threads of its own, since look-ups can hang for long."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from agent_tools.guards.network_errors import NameNotFoundError

_THREADS = 16  # asyncio's own pool is small and shared with file and database work
_LOOKUPS = ThreadPoolExecutor(_THREADS, thread_name_prefix="dns")
_PERMANENT = frozenset({socket.EAI_NONAME, socket.EAI_NODATA})


class Resolver(Protocol):
    """How names become addresses."""

    async def resolve(self, host: str, port: int) -> list[str]:
        """Return the addresses of `host` as texts, in the order to try them; NameNotFoundError where there is none."""
        ...


class SystemResolver:
    """The machine's own resolver (getaddrinfo): hosts file, DNS, and whatever else it is set up to ask."""

    async def resolve(self, host: str, port: int) -> list[str]:
        loop = asyncio.get_running_loop()
        try:
            answers = await loop.run_in_executor(_LOOKUPS, _getaddrinfo, host, port)
        except (OSError, UnicodeError) as error:
            temporary = isinstance(error, OSError) and error.errno not in _PERMANENT
            message = (
                f"The name {host} could not be looked up at the moment."
                if temporary
                else f"The name {host} was not found; check the spelling of the host."
            )
            raise NameNotFoundError(message, details={"host": host, "temporary": temporary}) from error
        return answers


def _getaddrinfo(host: str, port: int) -> list[str]:
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in answers))

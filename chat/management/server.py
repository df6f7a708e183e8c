"""Daphne, with an orderly end and with back-pressure.

Plain Daphne neither tells turns that the process ends nor waits for slow readers, and on CPython 3.11 it crashes when
it is stopped while sockets stream. Importing this installs Twisted's asyncio reactor.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import os
import sys
from typing import Any

from daphne.server import Server  # isort: skip - installs the reactor, which the next imports use
from twisted.internet import defer
from twisted.internet import reactor as installed
from twisted.internet.interfaces import IPushProducer
from zope.interface import implementer  # type: ignore[import-untyped]

from chat.ports.process import process

logger = logging.getLogger(__name__)
reactor: Any = installed
CLOSING_SECONDS = 2.0


@implementer(IPushProducer)
class Flow:
    """Tells whether a socket takes more; Twisted pauses it while more than 64 KiB wait to be sent."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.open.set()

    def pauseProducing(self) -> None:  # noqa: N802 - Twisted's name
        self.open.clear()

    def resumeProducing(self) -> None:  # noqa: N802
        self.open.set()

    def stopProducing(self) -> None:  # noqa: N802
        self.open.set()


class OrderlyServer(Server):  # type: ignore[misc]  # Daphne has no types
    """At its end turns are left in good order and sockets closed with 4012; then the process exits, with 0 unless it
    could not listen. What is sent to a socket waits for its reader.
    """

    failed = False

    def run(self) -> None:
        reactor.callLater(0, process)
        reactor.addSystemEventTrigger("after", "shutdown", self._exit)
        super().run()

    def listen_error(self, failure: Any) -> None:
        self.failed = True
        logger.critical("Cannot listen: %s", failure.getErrorMessage())
        self.stop()

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        await super().handle_reply(protocol, message)
        if message["type"] == "websocket.accept":
            protocol.flow = Flow()
            # The channel that read the HTTP request is registered still, and has nothing to pause any more.
            protocol.transport.unregisterProducer()
            protocol.transport.registerProducer(protocol.flow, True)
        elif message["type"] == "websocket.send":
            await protocol.flow.open.wait()

    def kill_all_applications(self) -> Any:
        return defer.Deferred.fromFuture(asyncio.ensure_future(self._end_applications()))

    async def _end_applications(self) -> None:
        try:
            await process().leave()
        except Exception:
            logger.exception("The running turns could not be left in good order; they will be taken over.")
        running = [details.get("application_instance") for details in self.connections.values()]
        running = [each for each in running if each is not None and not each.done()]
        if running:
            await asyncio.wait(running, timeout=CLOSING_SECONDS)
        for each in running:
            each.cancel()

    def _exit(self) -> None:
        """Step over the interpreter's own end, which crashes on CPython 3.11 after sockets have streamed, but not over
        what was registered for the end: it stops the pool's workers and writes out the logs.
        """
        atexit._run_exitfuncs()  # noqa: SLF001 - nothing public runs them without ending the interpreter
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1 if self.failed else 0)

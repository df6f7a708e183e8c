"""What is sent to a socket waits for its reader; importing the server in a test would install its event loop, so a
process of its own tries it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = """
import asyncio, os
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
from chat.management.server import OrderlyServer

class Transport:
    producer = object()
    def unregisterProducer(self): self.producer = None
    def registerProducer(self, producer, streaming):
        assert self.producer is None and streaming
        self.producer = producer

class Protocol:
    def __init__(self): self.transport, self.sent = Transport(), []
    def handle_reply(self, message): self.sent.append(message["type"])

async def main():
    server, protocol = OrderlyServer(application=None, endpoints=["tcp:0"]), Protocol()
    server.connections = {protocol: {}}
    send = {"type": "websocket.send", "text": "x"}
    await server.handle_reply(protocol, {"type": "websocket.accept"})
    await server.handle_reply(protocol, send)
    for resume in ("resumeProducing", "stopProducing"):
        protocol.transport.producer.pauseProducing()
        waiting = asyncio.ensure_future(server.handle_reply(protocol, send))
        for _ in range(5):
            await asyncio.sleep(0)
        assert not waiting.done()
        getattr(protocol.transport.producer, resume)()
        await asyncio.wait_for(waiting, 5)
    await server.handle_reply(protocol, {"type": "websocket.close"})
    print("fine", len(protocol.sent))

asyncio.run(main())
"""


def test_a_message_waits_until_the_socket_takes_more_or_is_gone() -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.stdout == "fine 5\n", ran.stderr

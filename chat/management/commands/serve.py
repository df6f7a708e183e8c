"""Serves the site with Daphne."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser


class Command(BaseCommand):
    help = "Serve the site over HTTP and WebSocket, and run the turns of conversations."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        # The server comes first: it installs Twisted's asyncio reactor.
        from chat.management.server import OrderlyServer  # isort: skip
        from channels.routing import get_default_application
        from daphne.endpoints import build_endpoint_description_strings

        host, port = options["host"], options["port"]
        self.stdout.write(f"Agent Tools on http://{host}:{port}/ (stop with Ctrl-C)")
        self.stdout.flush()
        OrderlyServer(
            application=get_default_application(),
            endpoints=build_endpoint_description_strings(host=host, port=port),
            server_name="agent-tools",
        ).run()
        raise CommandError(f"Cannot listen on {host}:{port}; is the port in use?")

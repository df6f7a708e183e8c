"""Serves the site with Daphne."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser


class Command(BaseCommand):
    help = "Serve the site over HTTP and WebSocket."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        # Importing the server installs Twisted's asyncio reactor, so it comes first.
        from daphne.endpoints import build_endpoint_description_strings
        from daphne.server import Server  # isort: skip
        from channels.routing import get_default_application  # isort: skip

        host, port = options["host"], options["port"]
        self.stdout.write(f"Agent Tools on http://{host}:{port}/ (stop with Ctrl-C)")
        self.stdout.flush()
        Server(
            application=get_default_application(),
            endpoints=build_endpoint_description_strings(host=host, port=port),
            server_name="agent-tools",
        ).run()

"""Serves the site together with a sample site and a tool that may reach it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from agent_tools.services.tools import offer_tool
from chat.demo import site
from chat.management.commands.serve import Command as Serve

SLUG = "fetch_demo"


class Command(Serve):
    help = "Serve the site together with a sample site on loopback, and a fetch tool opened to exactly that."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--site-port", type=int, default=8001, help="Port of the sample site.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            server = site.start(options["site_port"])
        except OSError as error:
            raise CommandError(
                f"The sample site cannot listen on port {options['site_port']} ({error.strerror}); "
                "choose another: make demo SITE_PORT=8011."
            ) from error
        port = server.server_address[1]
        offer_tool(
            slug=SLUG,
            type_name="fetch",
            name="Fetch (sample site)",
            description=f"Fetch a page of the sample site (made up, for trying things) at http://127.0.0.1:{port}/.",
            config={"allowed_domains": ["127.0.0.1"], "allowed_networks": [f"127.0.0.1/32:{port}"]},
        )
        self.stdout.write(f"Sample site (made up, for trying things) on http://127.0.0.1:{port}/")
        self.stdout.write(f"Tool {SLUG} may reach exactly that. On the chat page switch the tools on and write:")
        self.stdout.write(f"  fetch http://127.0.0.1:{port}/castor")
        self.stdout.write(f"  fetch http://127.0.0.1:{options['port']}/        (refused, and it says why)")
        super().handle(*args, **options)

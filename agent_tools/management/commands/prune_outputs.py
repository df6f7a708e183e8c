"""Deletes old kept outputs."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from agent_tools.management.arguments import at_least
from agent_tools.services.retention import prune_outputs


class Command(BaseCommand):
    help = "Delete the outputs that were kept for being too long, older than a number of days."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=at_least(0), required=True, help="age from which outputs are deleted")
        parser.add_argument("--batch", type=at_least(1), default=5_000, help="rows a transaction (5000)")

    def handle(self, *args: Any, **options: Any) -> None:
        deleted = prune_outputs(days=options["days"], batch=options["batch"])
        self.stdout.write(f"deleted {deleted} kept outputs")

"""Deletes old rows of the tool log."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from agent_tools.management.arguments import at_least
from agent_tools.services.retention import prune_logs


class Command(BaseCommand):
    help = "Delete the log rows of calls older than a number of days. Calls that still run are kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=at_least(0), required=True, help="age from which rows are deleted")
        parser.add_argument("--keep-errors", action="store_true", help="delete only rows of successful calls")
        parser.add_argument("--batch", type=at_least(1), default=5_000, help="rows a transaction (5000)")

    def handle(self, *args: Any, **options: Any) -> None:
        deleted = prune_logs(days=options["days"], keep_errors=options["keep_errors"], batch=options["batch"])
        self.stdout.write(f"deleted {deleted} log rows")

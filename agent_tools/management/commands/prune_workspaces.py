"""Deletes workspaces that nobody uses any more."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from agent_tools.management.arguments import at_least
from agent_tools.workspace.folders import prune


class Command(BaseCommand):
    help = "Delete the workspaces of conversations in which no file changed for a number of days."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=at_least(0), required=True, help="age of the newest change from which on")

    def handle(self, *args: Any, **options: Any) -> None:
        deleted = prune(days=options["days"])
        self.stdout.write(f"deleted {deleted.files} files and folders, {deleted.octets} bytes")

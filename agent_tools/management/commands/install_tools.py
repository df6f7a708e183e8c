"""Installs the default tools."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from agent_tools.services.tools import install_default_tools


class Command(BaseCommand):
    help = "Give every tool type that never had one its default tool. A deleted default does not come back."

    def handle(self, *args: Any, **options: Any) -> None:
        for tool in install_default_tools():
            state = "enabled" if tool.enabled else "disabled"
            self.stdout.write(f"installed {tool.slug} ({state})")

"""Measures how well commands are kept apart from this server."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agent_tools.services.doctor.examination import examine


class Command(BaseCommand):
    help = "Try to get out of the sandbox of run_bash, and tell what was held. Fails when anything was not."

    def handle(self, *args: Any, **options: Any) -> None:
        found = examine()
        for level, why in found.failures.items():
            self.stdout.write(f"{level}: {why}")
        opening = "by the kernel (openat2)" if found.kernel_opens_beneath else "name by name"
        self.stdout.write(f"files are opened beneath their roots {opening}")
        if found.level is None:
            self.stdout.write("commands are refused: there is no isolation that works here")
            return
        self.stdout.write(f"commands run at the level: {found.level}")
        for finding in found.findings:
            self.stdout.write(f"{'held    ' if finding.held else 'NOT HELD'}  {finding.name}: {finding.evidence}")
        self.stdout.write(f"measured in {found.seconds:.1f} s")
        if not found.is_sound:
            raise CommandError("Not everything was held; switch run_bash off, or mend the sandbox.")

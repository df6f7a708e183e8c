"""Prints a new key for TOOL_SECRET_KEYS."""

from __future__ import annotations

from typing import Any

from cryptography.fernet import Fernet
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Print a new key for TOOL_SECRET_KEYS. Put it before the older ones: the first encrypts, all decrypt."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(Fernet.generate_key().decode())

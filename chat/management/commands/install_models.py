"""Installs the language models."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from chat.services.install import install_models


class Command(BaseCommand):
    help = "Install the built-in model, and the one that OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL name."

    def handle(self, *args: Any, **options: Any) -> None:
        for model in install_models():
            self.stdout.write(f"installed model {model.label}{' (default)' if model.is_default else ''}")

"""Makes the first operator account."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser


class Command(BaseCommand):
    help = "Create an operator with a random password, printed once, unless there is one already."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--username", default="operator")

    def handle(self, *args: Any, **options: Any) -> None:
        if User.objects.filter(is_superuser=True, is_active=True).exists():
            return
        username, password = options["username"], secrets.token_urlsafe(12)
        if User.objects.filter(username=username).exists():
            raise CommandError(f"{username!r} exists without an operator's rights; name another with --username.")
        User.objects.create_superuser(username=username, password=password)
        self.stdout.write("")
        self.stdout.write(f"  Sign in as:  {username}")
        self.stdout.write(f"  Password:    {password}")
        self.stdout.write("  It is shown this once; change it with `manage.py changepassword`.")
        self.stdout.write("")

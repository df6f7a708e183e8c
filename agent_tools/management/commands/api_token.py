"""Makes, lists and revokes tokens for the REST API."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from agent_tools.models import ApiToken
from agent_tools.services.tokens import create_token, revoke_token

LONGEST_LIFE = 3650


class Command(BaseCommand):
    help = "Make, list or revoke tokens for the REST API."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        create = actions.add_parser("create", help="Make a token and print its key, which is shown this once.")
        create.add_argument("username")
        create.add_argument("--name", required=True, help="What the token is for.")
        create.add_argument("--days", type=int, help=f"Days until it expires, 1 to {LONGEST_LIFE}; never unless given.")
        listing = actions.add_parser("list", help="List the tokens, the newest first.")
        listing.add_argument("username", nargs="?", help="Only this user's.")
        revoke = actions.add_parser("revoke", help="Revoke a token for good.")
        revoke.add_argument("id", type=int, help="Its number in the list.")

    def handle(self, *args: Any, **options: Any) -> None:
        actions = {"create": self._create, "list": self._list, "revoke": self._revoke}
        actions[options["action"]](options)

    def _create(self, options: dict[str, Any]) -> None:
        user = _user(options["username"])
        if not user.is_active:
            raise CommandError(f"{user.get_username()} is not active: a token would open nothing.")
        if not user.is_staff:
            raise CommandError(f"{user.get_username()} is no staff: the API is for staff alone.")
        try:
            token, key = create_token(user, options["name"], _expiry(options["days"]))
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from error
        until = f"until {token.expires_at:%Y-%m-%d %H:%M} UTC" if token.expires_at else "until it is revoked"
        self.stderr.write(f"Token {token.pk} of {user.get_username()}, valid {until}. The key is shown this once:")
        self.stdout.write(key)

    def _list(self, options: dict[str, Any]) -> None:
        tokens = ApiToken.objects.select_related("user")
        if options["username"]:
            tokens = tokens.filter(user=_user(options["username"]))
        rows = [("ID", "USER", "NAME", "BEGINS WITH", "CREATED", "EXPIRES", "LAST USED")]
        rows += [
            (
                str(token.pk),
                token.user.get_username(),
                token.name,
                token.start,
                _day(token.created_at),
                _day(token.expires_at),
                _day(token.last_used_at),
            )
            for token in tokens
        ]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            self.stdout.write("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())

    def _revoke(self, options: dict[str, Any]) -> None:
        token = ApiToken.objects.select_related("user").filter(pk=options["id"]).first()
        if token is None:
            raise CommandError(f"There is no token {options['id']}; `manage.py api_token list` shows those there are.")
        revoke_token(token)
        self.stdout.write(f"Revoked: {token.name} ({token.start}…) of {token.user.get_username()}.")


def _user(username: str) -> User:
    user = User.objects.filter(username=username).first()
    if user is None:
        raise CommandError(f"There is no user {username!r}.")
    return user


def _expiry(days: int | None) -> datetime | None:
    if days is None:
        return None
    if not 1 <= days <= LONGEST_LIFE:
        raise CommandError(f"--days must be from 1 to {LONGEST_LIFE}; it is {days}.")
    return timezone.now() + timedelta(days=days)


def _day(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if moment is not None else "-"

"""Makes, finds and revokes the tokens of the REST API."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone

from agent_tools.models import ApiToken
from agent_tools.models.token import digest_of

USE_NOTED_EVERY = timedelta(minutes=1)


def create_token(user: User, name: str, expires_at: datetime | None = None) -> tuple[ApiToken, str]:
    """Create a token and return it with its key, which is known only now; raises Django's `ValidationError`."""
    token = ApiToken(user=user, name=name, expires_at=expires_at)
    key = token.new_key()
    token.full_clean()
    token.save()
    return token, key


def revoke_token(token: ApiToken) -> None:
    """Delete a token: its key opens nothing any more."""
    token.delete()


def valid_token(key: str) -> ApiToken | None:
    """Return the token of a key with its user; none when it is unknown, has expired or its user is not active."""
    return ApiToken.objects.valid().select_related("user").filter(digest=digest_of(key)).first()


def note_use(token: ApiToken) -> None:
    """Remember that the token was used just now; writes at most once a minute, whoever asks at the same time."""
    now = timezone.now()
    if token.last_used_at is not None and token.last_used_at > now - USE_NOTED_EVERY:
        return
    stale = Q(last_used_at=None) | Q(last_used_at__lte=now - USE_NOTED_EVERY)
    ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
    token.last_used_at = now

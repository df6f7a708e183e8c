"""Tokens for the REST API: named, hashed, expiring."""

from __future__ import annotations

import hashlib
import secrets

from django.conf import settings  # noqa: TID251 - the user model's name
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


def digest_of(key: str) -> str:
    """Return the SHA-256 of a key in hex. Keys are long and random, so a fast hash is enough."""
    return hashlib.sha256(key.encode()).hexdigest()


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    """Look-ups of tokens."""

    def valid(self) -> ApiTokenQuerySet:
        """Return the tokens that have not expired and whose user is active."""
        alive = models.Q(expires_at=None) | models.Q(expires_at__gt=timezone.now())
        return self.filter(alive, user__is_active=True)


class ApiToken(models.Model):
    """One token; the key itself is shown once and never stored."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), on_delete=models.CASCADE, related_name="+"
    )
    name = models.CharField(_("name"), max_length=100, help_text=_("What it is for."))
    start = models.CharField(_("begins with"), max_length=8, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True, editable=False)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.start}…)"

    def new_key(self) -> str:
        """Give this (unsaved) token a fresh key and return it; 43 URL-safe characters, 256 bits."""
        key = secrets.token_urlsafe(32)
        self.start, self.digest = key[:6], digest_of(key)
        return key

"""Rows that belong to a session; `session_id` is never a foreign key, so that this stands below conversations."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class KeptOutput(models.Model):
    """A call's output that was too long for the model, whole; written once under our own call id."""

    call_id = models.UUIDField(_("call"), unique=True)
    session_id = models.UUIDField(_("session"), db_index=True)
    tool_slug = models.CharField(_("slug"), max_length=100)
    content = models.TextField(_("content"))
    length = models.PositiveIntegerField(_("characters"))
    created_at = models.DateTimeField(_("time"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("kept output")
        verbose_name_plural = _("kept outputs")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.tool_slug} {self.call_id}"


class SessionValue(models.Model):
    """One small JSON value of a session: a file stamp, a pending flag."""

    session_id = models.UUIDField(_("session"))
    key = models.CharField(_("key"), max_length=300)
    value = models.JSONField(_("value"))
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    class Meta:
        verbose_name = _("session value")
        verbose_name_plural = _("session values")
        constraints = [models.UniqueConstraint(fields=["session_id", "key"], name="session_value_once")]

    def __str__(self) -> str:
        return f"{self.key} of {self.session_id}"

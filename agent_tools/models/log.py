"""The record of a call: audit, page and recovery read this one table."""

from __future__ import annotations

import uuid

from django.conf import settings  # noqa: TID251 - the user model's name
from django.db import models
from django.utils.translation import gettext_lazy as _


class LogStatus(models.TextChoices):
    """The states of a row; the same words as `contract.calls.CallStatus`."""

    RUNNING = "running", _("running")
    SUCCESS = "success", _("success")
    ERROR = "error", _("error")
    TIMEOUT = "timeout", _("timeout")
    DENIED = "denied", _("denied")
    CANCELLED = "cancelled", _("cancelled")
    INTERRUPTED = "interrupted", _("interrupted")


class AgentToolLog(models.Model):
    """One row per call, whoever called. `tool_id` and `tool_slug` outlive the tool."""

    id = models.BigAutoField(primary_key=True)
    call_id = models.UUIDField(_("call"), unique=True, default=uuid.uuid4)
    session_id = models.UUIDField(_("session"), db_index=True)
    tool_id = models.UUIDField(_("tool"), null=True, blank=True, help_text=_("Empty when the name was unknown."))
    tool_slug = models.CharField(_("slug"), max_length=100)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("user"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text=_("Empty for the system."),
    )
    door = models.CharField(_("door"), max_length=20)
    provider_call_id = models.TextField(_("provider's call id"), blank=True, default="")
    input = models.JSONField(_("input"), null=True, blank=True)
    output = models.JSONField(_("output"), null=True, blank=True)
    content = models.TextField(_("content"), blank=True, default="", help_text=_("The text given to the model."))
    status = models.CharField(_("status"), max_length=20, choices=LogStatus.choices, default=LogStatus.RUNNING)
    reason = models.CharField(_("reason"), max_length=40, blank=True, default="")
    error_message = models.TextField(_("error"), blank=True, default="")
    metadata = models.JSONField(_("metadata"), default=dict, blank=True)
    duration_ms = models.PositiveIntegerField(_("duration (ms)"), null=True, blank=True)
    created_at = models.DateTimeField(_("time"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("tool call")
        verbose_name_plural = _("tool calls")
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["tool_slug", "-id"]),
            models.Index(fields=["status", "-id"]),
            models.Index(fields=["tool_id", "created_at"]),
            models.Index(fields=["user", "-id"]),
        ]

    def __str__(self) -> str:
        return f"{self.tool_slug} {self.status} {self.call_id}"

"""Rules that operators manage, and what a person allowed for one conversation."""

from __future__ import annotations

import uuid

from django.conf import settings  # noqa: TID251 - the user model's name
from django.db import models
from django.utils.translation import gettext_lazy as _


class RuleAction(models.TextChoices):
    """The same words as `contract.permissions.Action`."""

    ALLOW = "allow", _("allow")
    ASK = "ask", _("ask the person")
    DENY = "deny", _("deny")


class PermissionRule(models.Model):
    """One rule. Rules have no order: any deny wins, an allow lifts an ask. Without users and groups it is for all."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tool_pattern = models.CharField(
        _("tools"), max_length=100, default="*", help_text=_("A slug; * stands for any characters, as in file_*.")
    )
    argument_name = models.CharField(
        _("argument"), max_length=100, blank=True, help_text=_("Which argument the pattern is for; empty for any.")
    )
    argument_pattern = models.CharField(
        _("argument pattern"),
        max_length=500,
        blank=True,
        help_text=_(
            "The rule counts only where a value matches, as in https://*.example.org/*. "
            "Empty: always, or wherever the named argument is sent."
        ),
    )
    action = models.CharField(_("action"), max_length=10, choices=RuleAction.choices)
    reason = models.CharField(_("reason"), max_length=300, help_text=_("What the model and the person are told."))
    users = models.ManyToManyField(settings.AUTH_USER_MODEL, verbose_name=_("users"), blank=True, related_name="+")
    groups = models.ManyToManyField("auth.Group", verbose_name=_("groups"), blank=True, related_name="+")
    enabled = models.BooleanField(_("enabled"), default=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    class Meta:
        verbose_name = _("permission rule")
        verbose_name_plural = _("permission rules")
        ordering = ["tool_pattern", "action", "created_at"]

    def __str__(self) -> str:
        return f"{self.action} {self.tool_pattern} {self.argument_pattern}".strip()


class Grant(models.Model):
    """A person allowed one tool for the rest of one conversation."""

    session_id = models.UUIDField()
    tool_slug = models.CharField(max_length=100)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("grant")
        verbose_name_plural = _("grants")
        constraints = [models.UniqueConstraint(fields=["session_id", "tool_slug"], name="grant_once_a_session")]

    def __str__(self) -> str:
        return f"{self.tool_slug} in {self.session_id}"

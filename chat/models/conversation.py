"""A conversation of one person."""

from __future__ import annotations

import uuid

from django.conf import settings  # noqa: TID251 - the user model's name
from django.db import models
from django.utils.translation import gettext_lazy as _


class Conversation(models.Model):
    """One conversation. Its id is the session id of the tools it uses; `leaf` is the newest message of the branch on
    view. `last_seq` numbers its journal; up to `folded_upto` some events may have been folded away.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), on_delete=models.CASCADE, related_name="+"
    )
    title = models.CharField(_("title"), max_length=200, blank=True)
    model = models.ForeignKey(
        "chat.ChatModel",
        verbose_name=_("language model"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    tools_on = models.BooleanField(_("tools"), default=False)
    thinking_on = models.BooleanField(_("thinking"), default=False)
    last_seq = models.PositiveBigIntegerField(_("last event"), default=0, editable=False)
    folded_upto = models.PositiveBigIntegerField(_("folded up to"), default=0, editable=False)
    leaf = models.ForeignKey("chat.Message", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        ordering = ["-updated_at"]
        indexes = [models.Index(fields=["user", "-updated_at"]), models.Index(fields=["-updated_at", "-id"])]

    def __str__(self) -> str:
        return self.title or str(self.id)

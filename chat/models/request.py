"""What a turn waits for a person to say: a question or a permission."""

from __future__ import annotations

import uuid

from django.conf import settings  # noqa: TID251 - the user model's name
from django.db import models
from django.utils.translation import gettext_lazy as _


class RequestKind(models.TextChoices):
    """What is asked."""

    QUESTION = "question", _("question")
    PERMISSION = "permission", _("permission")


class RequestState(models.TextChoices):
    """Where a request stands; it leaves `pending` once."""

    PENDING = "pending", _("pending")
    ANSWERED = "answered", _("answered")
    EXPIRED = "expired", _("expired")
    CANCELLED = "cancelled", _("cancelled")


class Request(models.Model):
    """One pending or settled request. `payload` is what the card shows, `answer` what the person said.

    A permission is bound to `arguments_hash`: an answer for other arguments does not count. `delivered` tells that the
    turn has the answer: until then nothing that depends on it was done.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey("chat.Conversation", on_delete=models.CASCADE, related_name="requests")
    turn = models.ForeignKey("chat.Turn", on_delete=models.CASCADE, related_name="requests")
    call_id = models.UUIDField()
    kind = models.CharField(max_length=20, choices=RequestKind.choices)
    payload = models.JSONField(default=dict)
    arguments_hash = models.CharField(max_length=64, blank=True, default="")
    state = models.CharField(max_length=20, choices=RequestState.choices, default=RequestState.PENDING)
    answer = models.JSONField(default=dict, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    delivered = models.BooleanField(default=False)
    deadline = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("request to a person")
        verbose_name_plural = _("requests to people")
        ordering = ["-created_at"]
        indexes = [
            models.Index(fields=["conversation", "state"]),
            models.Index(fields=["-created_at", "-id"]),
            models.Index(fields=["state", "-created_at", "-id"]),
        ]
        constraints = [
            models.UniqueConstraint(fields=["turn", "call_id", "kind", "arguments_hash"], name="request_once_a_call")
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.get_state_display()}"

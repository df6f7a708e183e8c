"""A message: what a person wrote, what a model answered, what a tool gave back."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    """Who speaks."""

    USER = "user", _("person")
    ASSISTANT = "assistant", _("model")
    TOOL = "tool", _("tool")


class Message(models.Model):
    """One message of a tree: `parent` is what it answers or follows, siblings are branches, nothing is overwritten.

    `calls` of an assistant's message is a list of `{id, provider_id, name, arguments, sealed, extra}` with our own
    ids; `call_id` of a tool's message is the one it answers. `extra` keeps what a provider sent beside the known keys,
    to be replayed to it alone: `origin` names it. A `notice` is told to the model with the message, and not shown. An
    `interrupted` message was cut by a stop or a failure.
    """

    conversation = models.ForeignKey("chat.Conversation", on_delete=models.CASCADE, related_name="messages")
    turn = models.ForeignKey("chat.Turn", null=True, blank=True, on_delete=models.CASCADE, related_name="messages")
    step = models.PositiveSmallIntegerField(default=0)
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="children")
    role = models.CharField(max_length=10, choices=Role.choices)
    content = models.TextField(blank=True, default="")
    thinking = models.TextField(blank=True, default="")
    reasoning_field = models.CharField(max_length=50, blank=True, default="")
    notice = models.TextField(blank=True, default="")
    calls = models.JSONField(default=list, blank=True)
    call_id = models.UUIDField(null=True, blank=True)
    is_error = models.BooleanField(default=False)
    interrupted = models.BooleanField(default=False)
    extra = models.JSONField(default=dict, blank=True)
    origin = models.CharField(max_length=720, blank=True, default="")
    client_id = models.CharField(max_length=64, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ["id"]
        indexes = [models.Index(fields=["conversation", "id"])]
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "client_id"], condition=~models.Q(client_id=""), name="client_id_once"
            ),
            models.UniqueConstraint(
                fields=["turn", "call_id"], condition=models.Q(call_id__isnull=False), name="one_answer_a_call"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role}: {self.content[:60]}"

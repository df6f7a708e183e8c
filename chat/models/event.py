"""The journal: everything a turn does, numbered per conversation."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Event(models.Model):
    """One event. `data` is its payload as it goes over the wire, without number and type."""

    conversation = models.ForeignKey("chat.Conversation", on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveBigIntegerField()
    turn_id = models.UUIDField(null=True, blank=True)
    type = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["conversation", "seq"], name="event_number_once")]
        indexes = [models.Index(fields=["turn_id", "type"])]

    def __str__(self) -> str:
        return f"{self.seq} {self.type}"

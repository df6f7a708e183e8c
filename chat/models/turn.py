"""A turn and its steps: the work between a person's message and the final answer."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _


class TurnKind(models.TextChoices):
    """Where a turn's branch begins: at the leaf of the view when it starts, or where it was made."""

    SEND = "send", _("message")
    EDIT = "edit", _("edited message")
    REGENERATE = "regenerate", _("another answer")


class TurnState(models.TextChoices):
    """Where a turn stands."""

    QUEUED = "queued", _("queued")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")


class TurnReason(models.TextChoices):
    """How a turn ended."""

    COMPLETED = "completed", _("completed")
    STEP_LIMIT = "step_limit", _("step limit reached")
    STOPPED = "stopped", _("stopped")
    FAILED = "failed", _("failed")
    TIMEOUT = "timeout", _("out of time")
    BUDGET = "budget", _("daily limit reached")


class Turn(models.Model):
    """One turn. `runner` holds it until `lease_until`; a take-over raises `epoch`, and writes with an older one are
    refused. `stop_requested` is read by the runner wherever it runs. `first_seq` is the journal's number of its
    first `turn_started`. `spent_ms` is its clock, waits for a person not counted, as of the last step. A `folded`
    turn's deltas are gone from the journal.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey("chat.Conversation", on_delete=models.CASCADE, related_name="turns")
    user_message = models.ForeignKey("chat.Message", on_delete=models.CASCADE, related_name="+")
    model = models.ForeignKey("chat.ChatModel", null=True, on_delete=models.SET_NULL, related_name="+")
    kind = models.CharField(max_length=10, choices=TurnKind.choices, default=TurnKind.SEND)
    tools_on = models.BooleanField(default=False)
    thinking_on = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=TurnState.choices, default=TurnState.QUEUED)
    reason = models.CharField(max_length=20, choices=TurnReason.choices, blank=True, default="")
    error_code = models.CharField(max_length=60, blank=True, default="")
    error_message = models.TextField(blank=True, default="")
    stop_requested = models.BooleanField(default=False)
    runner = models.CharField(max_length=100, blank=True, default="")
    lease_until = models.DateTimeField(null=True, blank=True)
    epoch = models.PositiveIntegerField(default=0)
    first_seq = models.PositiveBigIntegerField(null=True, blank=True)
    spent_ms = models.PositiveIntegerField(default=0)
    folded = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        ordering = ["created_at"]
        indexes = [
            models.Index(fields=["state", "lease_until"]),
            models.Index(fields=["conversation", "created_at"]),
            models.Index(fields=["folded", "finished_at"]),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["conversation"], condition=models.Q(state="running"), name="one_running_turn_a_conversation"
            )
        ]

    def __str__(self) -> str:
        return f"{self.state} {self.id}"


class Step(models.Model):
    """One model response together with the calls it asked for; `attempt` counts its requests. Token counts are those
    the provider reported, or `estimated`.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="steps")
    number = models.PositiveSmallIntegerField()
    attempt = models.PositiveSmallIntegerField(default=1)
    finish_reason = models.CharField(max_length=40, blank=True, default="")
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    cached_tokens = models.PositiveIntegerField(default=0)
    estimated = models.BooleanField(default=False)
    cost = models.DecimalField(max_digits=14, decimal_places=8, null=True, blank=True)
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("step")
        verbose_name_plural = _("steps")
        ordering = ["number"]
        indexes = [models.Index(fields=["started_at"])]
        constraints = [models.UniqueConstraint(fields=["turn", "number"], name="step_number_once")]

    def __str__(self) -> str:
        return f"step {self.number} of {self.turn_id}"

"""A language model that operators offer to people."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _


class Backend(models.TextChoices):
    """How a model is reached."""

    OPENAI = "openai", _("OpenAI-compatible server")
    OFFLINE = "offline", _("built in, without a network (a toy)")


def validate_base_url(url: str) -> None:
    """Refuse what chat completions cannot be below; a host needs no dot, so that names of containers will do."""
    try:
        parts = urlsplit(url)
        whole = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        whole = False
    if not whole or any(letter.isspace() for letter in url):
        raise ValidationError(_("This must be a URL such as https://api.openai.com/v1."), code="invalid")
    if "@" in parts.netloc:
        raise ValidationError(_("A name or password has no place in the URL: name a key variable."), code="credentials")
    if parts.query or parts.fragment:
        raise ValidationError(_("Leave out what follows the path (“?” or “#”)."), code="query")
    if parts.path.rstrip("/").endswith("/chat/completions"):
        raise ValidationError(_("Leave out /chat/completions: it is added to each request."), code="endpoint")


def validate_object(value: Any) -> None:
    """Refuse JSON that is no object."""
    if not isinstance(value, dict):
        raise ValidationError(_("This must be a JSON object, as in {}."), code="no_object")


class ChatModel(models.Model):
    """One model: where it is, what it can do, what it costs. `profile` is what was learned from its answers."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    label = models.CharField(_("label"), max_length=100, unique=True, help_text=_("What people choose."))
    backend = models.CharField(_("backend"), max_length=20, choices=Backend.choices, default=Backend.OPENAI)
    base_url = models.CharField(
        _("base URL"),
        max_length=500,
        blank=True,
        validators=[validate_base_url],
        help_text=_("Of the chat completions API; it often ends in /v1. Empty for OpenAI’s own."),
    )
    model_id = models.CharField(_("model"), max_length=200, blank=True, help_text=_("The provider's name for it."))
    key_variable = models.CharField(
        _("key variable"),
        max_length=100,
        blank=True,
        validators=[
            RegexValidator(r"^[A-Z][A-Z0-9_]*_API_KEY\Z", _("The name must look like OPENAI_API_KEY: …_API_KEY."))
        ],
        help_text=_("Name of the environment variable that holds the key; empty for a server without one."),
    )
    context_window = models.PositiveIntegerField(
        _("context window"), default=32_768, validators=[MinValueValidator(512)], help_text=_("In tokens.")
    )
    can_use_tools = models.BooleanField(_("can use tools"), default=True)
    can_think = models.BooleanField(_("can think"), default=False)
    extra = models.JSONField(
        _("extra parameters"),
        default=dict,
        blank=True,
        validators=[validate_object],
        help_text=_("Sent with each request, as a JSON object."),
    )
    thinking_extra = models.JSONField(
        _("extra parameters with thinking"),
        default=dict,
        blank=True,
        validators=[validate_object],
        help_text=_('Sent as well while thinking is on, as in {"reasoning_effort": "medium"}.'),
    )
    plain_extra = models.JSONField(
        _("extra parameters without thinking"),
        default=dict,
        blank=True,
        validators=[validate_object],
        help_text=_('Sent as well while thinking is off, as in {"reasoning_effort": "minimal"}.'),
    )
    input_price = models.DecimalField(
        _("input price"),
        max_digits=12,
        decimal_places=6,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text=_("Per million tokens."),
    )
    output_price = models.DecimalField(
        _("output price"),
        max_digits=12,
        decimal_places=6,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text=_("Per million tokens."),
    )
    enabled = models.BooleanField(_("enabled"), default=True)
    is_default = models.BooleanField(_("default"), default=False, help_text=_("At most one; new conversations use it."))
    from_environment = models.BooleanField(_("from the environment"), default=False, editable=False)
    profile = models.JSONField(_("learned profile"), default=dict, blank=True, editable=False)
    sort_order = models.IntegerField(_("sort order"), default=0)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    class Meta:
        verbose_name = _("language model")
        verbose_name_plural = _("language models")
        ordering = ["sort_order", "label"]
        constraints = [
            models.UniqueConstraint(
                fields=["is_default"], condition=models.Q(is_default=True), name="one_default_model"
            )
        ]

    def __str__(self) -> str:
        return self.label

"""The app's entry in Django."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChatConfig(AppConfig):
    """Conversations with a model that uses the tools."""

    name = "chat"
    verbose_name = _("Chat")
    default_auto_field = "django.db.models.BigAutoField"

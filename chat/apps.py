"""The app's entry in Django."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_out
from django.db.models.signals import post_save
from django.utils.translation import gettext_lazy as _


class ChatConfig(AppConfig):
    """Conversations with a model that uses the tools. Sockets hear when their person signs out or is disabled."""

    name = "chat"
    verbose_name = _("Chat")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.contrib.auth import get_user_model

        from chat.services import sessions

        user_logged_out.connect(sessions.tell_signed_out, dispatch_uid="chat.signed_out")
        post_save.connect(sessions.tell_changed, sender=get_user_model(), dispatch_uid="chat.account_changed")

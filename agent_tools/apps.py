"""The app's entry in Django."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _


class AgentToolsConfig(AppConfig):
    """Finds the hooks of all installed apps and registers the system checks."""

    name = "agent_tools"
    verbose_name = _("Agent tools")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from agent_tools import checks  # noqa: F401 - registers itself

        autodiscover_modules("tool_hooks")

"""The nested app's entry in Django."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WorkspaceConfig(AppConfig):
    """Rows that belong to a session."""

    name = "agent_tools.workspace"
    label = "workspace"
    verbose_name = _("Workspaces")
    default_auto_field = "django.db.models.BigAutoField"

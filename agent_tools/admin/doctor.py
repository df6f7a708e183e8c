"""The page that measures the isolation of commands, at a URL of its own."""

from __future__ import annotations

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from agent_tools.models import AgentTool
from agent_tools.services.doctor.examination import examine


def doctor_page(model_admin: admin.ModelAdmin[AgentTool], request: HttpRequest) -> HttpResponse:
    """Show the page, and on POST what was measured; needs the permission to change tools (`change_agenttool`)."""
    if not model_admin.has_change_permission(request):
        raise PermissionDenied
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "title": _("Isolation of commands"),
        "found": examine() if request.method == "POST" else None,
    }
    return TemplateResponse(request, "admin/agent_tools/agenttool/doctor.html", context)

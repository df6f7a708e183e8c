"""Enabling and disabling several tools at once, after a page that says what models gain or lose."""

from __future__ import annotations

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from agent_tools.models import AgentTool
from agent_tools.selectors.stats import CallStats, calls_of_last_day

ToolAdminBase = admin.ModelAdmin[AgentTool]


@admin.action(description=gettext_lazy("Enable selected tools"), permissions=["change"])
def enable(model_admin: ToolAdminBase, request: HttpRequest, queryset: QuerySet[AgentTool]) -> HttpResponse | None:
    """Let models use the tools."""
    return _switch(model_admin, request, queryset, enabled=True)


@admin.action(description=gettext_lazy("Disable selected tools"), permissions=["change"])
def disable(model_admin: ToolAdminBase, request: HttpRequest, queryset: QuerySet[AgentTool]) -> HttpResponse | None:
    """Take the tools from models."""
    return _switch(model_admin, request, queryset, enabled=False)


def _switch(
    model_admin: ToolAdminBase, request: HttpRequest, queryset: QuerySet[AgentTool], *, enabled: bool
) -> HttpResponse | None:
    tools = list(queryset.exclude(enabled=enabled))
    if not tools:
        model_admin.message_user(request, _("The selected tools are that already."), messages.WARNING)
        return None
    if "post" not in request.POST:
        return _confirmation(model_admin, request, tools, enabled=enabled)
    AgentTool.objects.filter(pk__in=[tool.pk for tool in tools]).update(enabled=enabled, updated_at=timezone.now())
    for tool in tools:
        model_admin.log_change(request, tool, [{"changed": {"fields": [_("enabled")]}}])
    count = len(tools)
    done = (
        ngettext("%(count)d tool was enabled.", "%(count)d tools were enabled.", count)
        if enabled
        else ngettext("%(count)d tool was disabled.", "%(count)d tools were disabled.", count)
    )
    model_admin.message_user(request, done % {"count": count}, messages.SUCCESS)
    return None


def _confirmation(
    model_admin: ToolAdminBase, request: HttpRequest, tools: list[AgentTool], *, enabled: bool
) -> HttpResponse:
    stats = calls_of_last_day(tool.pk for tool in tools)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Enable tools") if enabled else _("Disable tools"),
        "opts": model_admin.opts,
        "enabled": enabled,
        "rows": [(tool, stats.get(tool.pk, CallStats())) for tool in tools],
        "left": AgentTool.objects.enabled().exclude(pk__in=[tool.pk for tool in tools]).count(),
        "action": "enable" if enabled else "disable",
        "action_checkbox_name": ACTION_CHECKBOX_NAME,
        "media": model_admin.media,
    }
    return TemplateResponse(request, "admin/agent_tools/agenttool/switch_confirmation.html", context)

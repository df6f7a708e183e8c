"""Pages beside the form of a tool: choosing a type, and what a model sees."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from agent_tools.admin.schema_forms.make import translated
from agent_tools.admin.tool_state import model_view_of
from agent_tools.contract.errors import AgentToolsError
from agent_tools.models import AgentTool, AgentToolLog
from agent_tools.registry import registry

ToolAdminBase = admin.ModelAdmin[AgentTool]


@dataclass(frozen=True, slots=True)
class TypeChoice:
    """One type on the page of choices; a `problem` makes it unavailable."""

    name: str
    title: str = ""
    summary: str = ""
    query: str = ""
    problem: str = ""


def addable_types() -> list[str]:
    """Return the types that can be loaded."""
    return [choice.name for choice in _choices() if not choice.problem]


def _choices(request: HttpRequest | None = None) -> list[TypeChoice]:
    found: list[TypeChoice] = []
    for name in registry.types():
        try:
            executor = registry.get(name)
        except AgentToolsError as error:
            found.append(TypeChoice(name, title=name, problem=error.message))
            continue
        query = request.GET.copy() if request else None
        if query is not None:
            query["type"] = name
        text = query.urlencode() if query is not None else ""
        found.append(TypeChoice(name, translated(executor.title), translated(executor.summary), text))
    return found


def choose_type(model_admin: ToolAdminBase, request: HttpRequest) -> HttpResponse:
    """List the types, each with a link to its form."""
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Add a tool: choose its type"),
        "opts": model_admin.opts,
        "choices": _choices(request),
        "unknown": request.GET.get("type", ""),
        "media": model_admin.media,
        "is_popup": False,
    }
    return TemplateResponse(request, "admin/agent_tools/agenttool/choose_type.html", context)


def definition_page(model_admin: ToolAdminBase, request: HttpRequest, tool_id: uuid.UUID) -> HttpResponse:
    """Show what a model is told now; needs the permission to view tools."""
    tool = tool_or_404(model_admin, request, tool_id)
    if not model_admin.has_view_permission(request, tool):
        raise PermissionDenied
    view, problem = model_view_of(tool)
    context = {**page_context(model_admin, request, tool), "title": _("What the model sees"), "problem": problem}
    return TemplateResponse(
        request, "admin/agent_tools/agenttool/definition.html", {**context, "model_view": view, "stored": tool}
    )


def tool_or_404(model_admin: ToolAdminBase, request: HttpRequest, tool_id: uuid.UUID) -> AgentTool:
    """Return the tool; any signed-in staff member gets 404 for one that is not there."""
    tool = model_admin.get_queryset(request).filter(pk=tool_id).first()
    if tool is None:
        raise Http404
    return tool


def page_context(model_admin: ToolAdminBase, request: HttpRequest, tool: AgentTool) -> dict[str, Any]:
    """Return what every page about one tool shows."""
    return {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "original": tool,
        "subtitle": str(tool),
        "media": model_admin.media,
        "is_popup": False,
        "may_try": model_admin.has_change_permission(request, tool),
        "may_see_calls": may_see(request, AgentToolLog),
    }


def may_see(request: HttpRequest, model: type[Model]) -> bool:
    """Tell whether the person may view rows of a model in the admin."""
    codes = [f"{model._meta.app_label}.{verb}_{model._meta.model_name}" for verb in ("view", "change")]  # noqa: SLF001
    return any(request.user.has_perm(code) for code in codes)

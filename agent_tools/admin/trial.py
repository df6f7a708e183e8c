"""The test panel: runs a tool from the admin, at a URL of its own, outside any transaction."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from asgiref.sync import async_to_sync
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from agent_tools.admin import json_text
from agent_tools.admin.again import Again, again_of
from agent_tools.admin.tool_pages import may_see, page_context, tool_or_404
from agent_tools.admin.tool_state import model_view_of
from agent_tools.admin.trial_form import TrialForm, trial_form_for
from agent_tools.contract.calls import Door
from agent_tools.contract.outcome import CallOutcome
from agent_tools.models import AgentTool, AgentToolLog
from agent_tools.models.log import LogStatus
from agent_tools.services.execution import execute_tool
from agent_tools.workspace.models import KeptOutput


@dataclass(frozen=True, slots=True)
class Shown:
    """An outcome ready for the page; texts are cut to what a browser bears."""

    outcome: CallOutcome
    log: AgentToolLog | None
    kept: KeptOutput | None

    @property
    def status_label(self) -> str:
        return str(LogStatus(self.outcome.result.status.value).label)

    @property
    def data(self) -> json_text.Excerpt | None:
        data = self.outcome.result.data
        return None if data is None else json_text.excerpt(json_text.pretty(data))

    @property
    def content(self) -> json_text.Excerpt:
        return json_text.excerpt(self.outcome.result.content)

    @property
    def metadata(self) -> list[tuple[str, str]]:
        found = self.outcome.result.metadata
        return [(name, value if isinstance(value, str) else json_text.compact(value)) for name, value in found.items()]


def try_tool(model_admin: admin.ModelAdmin[AgentTool], request: HttpRequest, tool_id: uuid.UUID) -> HttpResponse:
    """Show the panel, and on POST run the tool; needs the permission to change tools (`change_agenttool`)."""
    tool = tool_or_404(model_admin, request, tool_id)
    if not model_admin.has_change_permission(request, tool):
        raise PermissionDenied
    view, problem = model_view_of(tool)
    again = again_of(request, tool)
    form_class = trial_form_for(view.schema if view else None, again.values)
    shown: Shown | None = None
    if request.method == "POST":
        form = form_class(request.POST)
        if form.is_valid():
            shown = _run(tool, form, request)
    else:
        form = form_class()
    context = {
        **page_context(model_admin, request, tool),
        "title": _("Try %(slug)s") % {"slug": tool.slug},
        **_form_context(form, again),
        "problem": problem,
        "shown": shown,
        "may_see_log": shown is not None and shown.log is not None and may_see(request, AgentToolLog),
        "may_see_kept": shown is not None and shown.kept is not None and may_see(request, KeptOutput),
    }
    return TemplateResponse(request, "admin/agent_tools/agenttool/try.html", context)


def _run(tool: AgentTool, form: TrialForm, request: HttpRequest) -> Shown:
    outcome = async_to_sync(execute_tool)(
        tool,
        form.tool_input,
        door=Door.ADMIN,
        user_id=request.user.pk,
        confirmed=form.cleaned_data["confirmed"],
        session_id=form.cleaned_data["session"],
    )
    log = AgentToolLog.objects.only("id", "session_id").filter(call_id=outcome.call.id).first()
    kept = KeptOutput.objects.only("id", "length").filter(call_id=outcome.call.id).first()
    return Shown(outcome, log, kept)


def _form_context(form: TrialForm, again: Again) -> dict[str, Any]:
    return {"form": form, "fieldsets": form.fieldsets(), "errors": form.errors, "again": again}

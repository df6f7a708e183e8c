"""Calls in the admin: read, searched, exported and charted, never changed."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.forms import Media
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agent_tools.admin import json_text
from agent_tools.admin.assets import EXTRA_MEDIA
from agent_tools.admin.labels import door_labels, duration_shown, status_badge
from agent_tools.admin.log_chart import chart_page
from agent_tools.admin.log_export import export
from agent_tools.admin.log_filters import DoorFilter, StatusFilter, TimeFilter, ToolFilter, UserFilter
from agent_tools.admin.log_list import LogList
from agent_tools.admin.read_only import ReadOnlyAdmin
from agent_tools.models import AgentTool, AgentToolLog
from agent_tools.selectors import logs
from agent_tools.selectors.identifiers import row_id
from agent_tools.workspace.models import KeptOutput

NOTHING = "–"


@admin.register(AgentToolLog)
class LogAdmin(ReadOnlyAdmin[AgentToolLog]):
    """The record of calls. Rows can be deleted by those who have the permission to."""

    list_display = ("time_shown", "tool_slug", "status_shown", "reason", "door_shown", "user", "duration_shown")
    list_display_links = ("time_shown",)
    list_filter = (TimeFilter, ToolFilter, StatusFilter, DoorFilter, UserFilter)
    list_select_related = ("user",)
    list_per_page = 50
    sortable_by = ()
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    search_fields = ("call_id",)  # shows the search box; `get_search_results` does the work
    search_help_text = gettext_lazy(
        "A call or session id finds it in all time. Any other text is looked for in the inputs, a URL say, inside the "
        "chosen time."
    )
    fieldsets = (
        (None, {"fields": ("status_shown", "tool_shown", "time_shown", "duration_shown", "door_shown", "user")}),
        (gettext_lazy("Input"), {"fields": ("input_shown",)}),
        (gettext_lazy("Result"), {"fields": ("reason", "error_shown", "content_shown", "kept_shown", "output_shown")}),
        (gettext_lazy("Metadata"), {"fields": ("metadata_shown",)}),
        (gettext_lazy("Ids"), {"fields": ("call_id", "session_shown", "tool_id", "provider_shown")}),
    )
    readonly_fields = (
        *("status_shown", "tool_shown", "time_shown", "duration_shown", "door_shown", "input_shown", "error_shown"),
        *("content_shown", "kept_shown", "output_shown", "metadata_shown", "session_shown", "provider_shown"),
    )

    @property
    def media(self) -> Media:
        return super().media + EXTRA_MEDIA

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return LogList

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        wanted = logs.id_given(term)
        return (logs.rows_of_id(queryset, wanted) if wanted else logs.rows_with_text(queryset, term)), False

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        own = [
            path("chart/", wrap(partial(chart_page, self)), name="agent_tools_agenttoollog_chart"),
            path("export/<slug:form>/", wrap(partial(export, self)), name="agent_tools_agenttoollog_export"),
        ]
        return [*own, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        rows = AgentToolLog.objects.only("id", "tool_id", "session_id")
        row = rows.filter(pk=row_id(object_id) or 0).first()
        tool = AgentTool.objects.filter(pk=row.tool_id).first() if row and row.tool_id else None
        may_try = tool is not None and request.user.has_perm("agent_tools.change_agenttool")
        extra = {"tool": tool, "row": row, "may_try": may_try, **(extra_context or {})}
        return super().change_view(request, object_id, form_url, extra)

    # --- What rows show ----------------------------------------------------------------------------------------

    @admin.display(description=gettext_lazy("time"))
    def time_shown(self, row: AgentToolLog) -> str:
        return f"{timezone.localtime(row.created_at):%Y-%m-%d %H:%M:%S}"

    @admin.display(description=gettext_lazy("status"))
    def status_shown(self, row: AgentToolLog) -> str:
        return status_badge(row.status)

    @admin.display(description=gettext_lazy("door"))
    def door_shown(self, row: AgentToolLog) -> str:
        return door_labels().get(row.door, row.door)

    @admin.display(description=gettext_lazy("duration"))
    def duration_shown(self, row: AgentToolLog) -> str:
        return duration_shown(row.duration_ms) or NOTHING

    @admin.display(description=gettext_lazy("tool"))
    def tool_shown(self, row: AgentToolLog) -> str:
        tool = AgentTool.objects.filter(pk=row.tool_id).first() if row.tool_id else None
        if tool is None:
            gone = _("no such tool any more") if row.tool_id else _("unknown name")
            return format_html("<bdi>{}</bdi> ({})", row.tool_slug, gone)
        url = reverse("admin:agent_tools_agenttool_change", args=[tool.pk])
        renamed = "" if tool.slug == row.tool_slug else _(" – called as %(slug)s") % {"slug": row.tool_slug}
        return format_html('<a href="{}">{}</a>{}', url, tool, renamed)

    @admin.display(description=gettext_lazy("input"))
    def input_shown(self, row: AgentToolLog) -> str:
        return _block(json_text.pretty(row.input))

    @admin.display(description=gettext_lazy("data"))
    def output_shown(self, row: AgentToolLog) -> str:
        return NOTHING if row.output is None else _block(json_text.pretty(row.output))

    @admin.display(description=gettext_lazy("text for the model"))
    def content_shown(self, row: AgentToolLog) -> str:
        return _block(row.content) if row.content else NOTHING

    @admin.display(description=gettext_lazy("error"))
    def error_shown(self, row: AgentToolLog) -> str:
        return format_html("<bdi>{}</bdi>", row.error_message) if row.error_message else NOTHING

    @admin.display(description=gettext_lazy("metadata"))
    def metadata_shown(self, row: AgentToolLog) -> str:
        return _block(json_text.pretty(row.metadata)) if row.metadata else NOTHING

    @admin.display(description=gettext_lazy("provider's call id"))
    def provider_shown(self, row: AgentToolLog) -> str:
        return format_html("<bdi>{}</bdi>", row.provider_call_id) if row.provider_call_id else NOTHING

    @admin.display(description=gettext_lazy("session"))
    def session_shown(self, row: AgentToolLog) -> str:
        url = reverse("admin:agent_tools_agenttoollog_changelist")
        return format_html(
            '{} <a href="{}?q={}">{}</a>', row.session_id, url, row.session_id, _("All calls of this session")
        )

    @admin.display(description=gettext_lazy("whole output"))
    def kept_shown(self, row: AgentToolLog) -> str:
        kept = KeptOutput.objects.only("id", "length").filter(call_id=row.call_id).first()
        if kept is None:
            return NOTHING
        words = _("%(length)d characters, kept whole") % {"length": kept.length}
        return format_html('<a href="{}">{}</a>', reverse("admin:workspace_keptoutput_change", args=[kept.pk]), words)


def _block(text: str) -> str:
    shown = json_text.excerpt(text)
    note = ""
    if shown.cut:
        note = _("The first %(shown)d of %(length)d characters.") % {"shown": len(shown.text), "length": shown.length}
    return cast(
        "str",
        format_html('<pre class="outside-text" tabindex="0" data-copy="{}">{}</pre>{}', _("Copy"), shown.text, note),
    )

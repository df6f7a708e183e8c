"""Tools in the admin: the list, the choice of a type, and the form."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.forms import Media
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import escape, format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from agent_tools.admin import json_text, tool_actions
from agent_tools.admin.assets import EXTRA_MEDIA
from agent_tools.admin.doctor import doctor_page
from agent_tools.admin.schema_forms.build import SchemaFields
from agent_tools.admin.schema_forms.make import translated
from agent_tools.admin.tool_form import JSON, MODE, ToolForm, form_for, shown_config
from agent_tools.admin.tool_pages import addable_types, choose_type, definition_page, may_see, page_context
from agent_tools.admin.tool_state import model_view_of, problem_of, type_title
from agent_tools.admin.trial import try_tool
from agent_tools.models import AgentTool, AgentToolLog
from agent_tools.registry import registry
from agent_tools.selectors.stats import CallStats, calls_of_last_day
from agent_tools.services.tools import delete_tool

ROW = ("name", "slug", "type_shown", "description", "enabled", "sort_order")
TIMES = ("created_at", "updated_at")


class ToolList(ChangeList):
    """Adds the last day's numbers to a page of tools, in one query."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        tools = list(self.result_list)
        stats = calls_of_last_day(tool.pk for tool in tools)
        seen = may_see(request, AgentToolLog)
        for tool in tools:
            tool.stats = stats.get(tool.pk, CallStats())
            tool.problem = problem_of(tool)
            tool.seen = seen
            tool.tried = self.model_admin.has_change_permission(request, tool)


class TypeFilter(admin.SimpleListFilter):
    """The types there are, and whatever the rows hold beside them."""

    title = gettext_lazy("type")
    parameter_name = "type"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> list[tuple[str, str]]:
        stored = AgentTool.objects.order_by().values_list("type", flat=True).distinct()
        return [(name, type_title(name)) for name in sorted(stored)]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(type=self.value()) if self.value() else queryset


@admin.register(AgentTool)
class ToolAdmin(admin.ModelAdmin[AgentTool]):
    """Operators' way to the tools."""

    list_display = ("name_shown", "type_shown", "enabled", "sort_order", "last_day", "links")
    list_display_links = ("name_shown",)
    list_editable = ("enabled", "sort_order")
    list_filter = ("enabled", TypeFilter)
    search_fields = ("name", "slug", "description")
    ordering = ("sort_order", "slug")
    show_facets = admin.ShowFacets.NEVER
    readonly_fields = ("type_shown", "config_shown", *TIMES)
    actions = (tool_actions.enable, tool_actions.disable)

    @property
    def media(self) -> Media:
        return super().media + EXTRA_MEDIA

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return ToolList

    # --- The list's columns ------------------------------------------------------------------------------------

    @admin.display(description=gettext_lazy("name and slug"), ordering="name")
    def name_shown(self, tool: AgentTool) -> str:
        return format_html("{} <code>{}</code>", tool.name, tool.slug)

    @admin.display(description=gettext_lazy("type"), ordering="type")
    def type_shown(self, tool: AgentTool) -> str:
        title = type_title(tool.type)
        name = tool.type if title == tool.type else format_html("{} <code>{}</code>", title, tool.type)
        problem = getattr(tool, "problem", "")
        return (
            format_html('{} <span class="tool-problem" title="{}">{}</span>', name, problem, problem)
            if problem
            else name
        )

    @admin.display(description=gettext_lazy("last day"), empty_value="–")
    def last_day(self, tool: AgentTool) -> str | None:
        stats: CallStats = getattr(tool, "stats", CallStats())
        if not stats.calls:
            return None
        calls = ngettext("%(count)d call", "%(count)d calls", stats.calls) % {"count": stats.calls}
        failed = _("%(share)s failed") % {"share": f"{stats.error_rate:.0%}"}
        if getattr(tool, "seen", False):
            url = reverse("admin:agent_tools_agenttoollog_changelist")
            calls = format_html('<a href="{}?tool={}&amp;time=day">{}</a>', url, tool.slug, calls)
        shade = "tool-errors" if stats.failed else "quiet"
        return format_html('{} <span class="{}">{}</span>', calls, shade, failed)

    @admin.display(description="")
    def links(self, tool: AgentTool) -> str:
        if not getattr(tool, "tried", False):
            return ""
        url = reverse("admin:agent_tools_agenttool_try", args=[tool.pk])
        return format_html('<a href="{}">{}</a>', url, _("Try it"))

    # --- The form ----------------------------------------------------------------------------------------------

    @admin.display(description=gettext_lazy("configuration"))
    def config_shown(self, tool: AgentTool) -> str:
        return format_html('<pre class="outside-text">{}</pre>', json_text.pretty(shown_config(tool.type, tool.config)))

    def get_fieldsets(self, request: HttpRequest, obj: AgentTool | None = None) -> list[Any]:
        row = [name for name in ROW if obj is not None or name != "type_shown"]
        made = _form_of(request, obj).config_fields
        if made is None or (obj is not None and not self.has_change_permission(request, obj)):
            return [(None, {"fields": row}), (None, {"fields": ["config_shown", *TIMES]})]
        found: list[Any] = [(None, {"fields": row})]
        if made.plans:
            found += [
                (_("Configuration"), {"fields": [MODE], "classes": ["config-mode-row"]}),
                *_config_fieldsets(made),
            ]
        return found

    def get_form(self, request: HttpRequest, obj: AgentTool | None = None, change: bool = False, **kwargs: Any) -> Any:
        return super().get_form(request, obj, change, **{"form": _form_of(request, obj), **kwargs})

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        name = request.GET["type"]
        executor = registry.get(name)
        taken = AgentTool.objects.filter(slug=name).exists()
        return {"name": executor.title[:50], "slug": "" if taken else name, "description": executor.summary}

    def save_model(self, request: HttpRequest, obj: AgentTool, form: Any, change: bool) -> None:
        if not change:
            obj.save()
            return
        # Only what was changed is written, so that two operators do not undo each other's work.
        names = {field.name for field in self.opts.concrete_fields} & set(form.changed_data)
        config = {"config"} if getattr(form, "config_touched", False) else set()
        obj.save(update_fields={*names, *config, "updated_at"})

    def delete_model(self, request: HttpRequest, obj: AgentTool) -> None:
        delete_tool(obj)

    # --- The pages ---------------------------------------------------------------------------------------------

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        if request.GET.get("type") not in addable_types():
            return choose_type(self, request)
        title = _("Add a tool: %(type)s") % {"type": type_title(request.GET["type"])}
        return super().add_view(request, form_url, {"title": title, **(extra_context or {})})

    def render_change_form(
        self,
        request: HttpRequest,
        context: Any,
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: AgentTool | None = None,
    ) -> HttpResponse:
        if obj is not None and change:
            stored = AgentTool.objects.get(pk=obj.pk)
            view, problem = model_view_of(stored)
            about = page_context(self, request, stored)
            context = {**context, "model_view": view, "problem": problem, "stored": stored}
            context |= {name: about[name] for name in ("may_try", "may_see_calls")}
        return super().render_change_form(request, context, add, change, form_url, obj)

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        own = [
            path("doctor/", wrap(partial(doctor_page, self)), name="agent_tools_agenttool_doctor"),
            path("<uuid:tool_id>/try/", wrap(partial(try_tool, self)), name="agent_tools_agenttool_try"),
            path(
                "<uuid:tool_id>/definition/",
                wrap(partial(definition_page, self)),
                name="agent_tools_agenttool_definition",
            ),
        ]
        return [*own, *super().get_urls()]


def _form_of(request: HttpRequest, tool: AgentTool | None) -> type[ToolForm]:
    return form_for(request.GET.get("type", ""), None) if tool is None else form_for(tool.type, tool.config)


def _config_fieldsets(made: SchemaFields) -> Iterator[Any]:
    for group in made.groups:
        options = {
            "fields": [plan.name for plan in group.fields],
            "classes": ["config-as-form"],
            "description": escape(translated(group.help)),
        }
        if group.fields:
            yield translated(group.title) or None, options
    yield None, {"fields": [JSON], "classes": ["config-as-json"]}

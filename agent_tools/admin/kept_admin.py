"""Outputs that were too long for the model: shown whole, a page at a time."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet, Value
from django.db.models.functions import Substr
from django.forms import Media
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy

from agent_tools.admin.assets import EXTRA_MEDIA
from agent_tools.admin.read_only import ReadOnlyAdmin
from agent_tools.models import AgentToolLog
from agent_tools.selectors.identifiers import row_id
from agent_tools.workspace.models import KeptOutput

PAGE = 50_000


@admin.register(KeptOutput)
class KeptOutputAdmin(ReadOnlyAdmin[KeptOutput]):
    """Reads an output in pieces, so that neither the database nor the browser chokes on it."""

    list_display = ("created_at", "tool_slug", "length", "session_id")
    fields = ("tool_slug", "length", "created_at", "call_shown", "session_id")
    readonly_fields = ("call_shown",)
    search_fields = ("=call_id", "=session_id")
    search_help_text = gettext_lazy("A call or session id.")
    show_full_result_count = False
    ordering = ("-id",)

    @property
    def media(self) -> Media:
        return super().media + EXTRA_MEDIA

    def get_queryset(self, request: HttpRequest) -> QuerySet[KeptOutput]:
        return super().get_queryset(request).defer("content")

    @admin.display(description=gettext_lazy("call"))
    def call_shown(self, kept: KeptOutput) -> str:
        row = AgentToolLog.objects.only("id").filter(call_id=kept.call_id).first()
        if row is None:
            return str(kept.call_id)
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:agent_tools_agenttoollog_change", args=[row.pk]), kept.call_id
        )

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        wanted = request.GET.get("page", "1")
        number = int(wanted) if wanted.isdecimal() and len(wanted) < len(str(PAGE)) else 1
        piece = Substr("content", Value((max(number, 1) - 1) * PAGE + 1), Value(PAGE))
        found = self.get_queryset(request).filter(pk=row_id(object_id) or 0).annotate(piece=piece)
        row = found.values_list("length", "piece").first() if self.has_view_permission(request) else None
        length, text = row or (0, "")
        pages = -(-length // PAGE) or 1
        extra = {
            "piece": text,
            "number": number,
            "pages": pages,
            "earlier": number - 1 if number > 1 else None,
            "later": number + 1 if number < pages else None,
            **(extra_context or {}),
        }
        return super().change_view(request, object_id, form_url, extra)

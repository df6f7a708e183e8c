"""What turns wait for a person to say: read here, and a permission decided in the person's place."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.forms import Media
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.admin.assets import CHAT_MEDIA
from chat.admin.key_list import KeyList
from chat.admin.labels import may_see_calls
from chat.admin.request_columns import SEES_CALLS, RequestColumns, overdue
from chat.admin.request_decide import DecideForm, decide, may_decide
from chat.models import Request, RequestKind, RequestState


class ChoiceFilter(admin.SimpleListFilter):
    """By a column with few values."""

    choices_of: type[RequestKind | RequestState]

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> list[tuple[str, str]]:
        return [(value, str(label)) for value, label in self.choices_of.choices]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{str(self.parameter_name): self.value()}) if self.value() else queryset


class StateFilter(ChoiceFilter):
    """By where a request stands."""

    title = gettext_lazy("state")
    parameter_name = "state"
    choices_of = RequestState


class KindFilter(ChoiceFilter):
    """By what is asked."""

    title = gettext_lazy("kind")
    parameter_name = "kind"
    choices_of = RequestKind


class RequestList(KeyList):
    """The newest first."""

    keys = ("-created_at", "-pk")


@admin.register(Request)
class RequestAdmin(RequestColumns):
    """Questions and permissions."""

    list_display = ("created_shown", "kind_shown", "what", "state_shown", "person", "conversation_link")
    list_display_links = ("created_shown",)
    list_filter = (StateFilter, KindFilter)
    list_select_related = ("conversation", "conversation__user")
    list_per_page = 50
    sortable_by = ()
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    change_list_template = "admin/chat/key_list.html"
    readonly_fields = (
        *("state_shown", "kind_shown", "asked", "arguments_shown", "reasons_shown", "choices_shown", "person"),
        *("conversation_link", "call_shown", "created_shown", "deadline_shown"),
        *("answer_shown", "answered_by_shown", "answered_shown", "delivered_shown"),
    )

    @property
    def media(self) -> Media:
        return super().media + CHAT_MEDIA

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return RequestList

    def get_fieldsets(self, request: HttpRequest, obj: Request | None = None) -> list[Any]:
        permission = obj is not None and obj.kind == RequestKind.PERMISSION
        about = ["arguments_shown", "reasons_shown"] if permission else ["choices_shown"]
        whose = ["person", "conversation_link", "call_shown", "created_shown", "deadline_shown"]
        found: list[Any] = [
            (None, {"fields": ["state_shown", "kind_shown", "asked", *about]}),
            (_("Where it comes from"), {"fields": whose}),
        ]
        if obj is not None and obj.state != RequestState.PENDING:
            answer = ["answer_shown", "answered_by_shown", "answered_shown", "delivered_shown"]
            found.append((_("What became of it"), {"fields": answer}))
        return found

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(partial(decide, self))
        return [path("<uuid:request_id>/decide/", view, name="chat_request_decide"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        asked = self.get_object(request, object_id)
        extra = dict(extra_context or {})
        if asked is not None and asked.state == RequestState.PENDING:
            permission = asked.kind == RequestKind.PERMISSION
            form = DecideForm(initial={"arguments_hash": asked.arguments_hash})
            extra |= {
                "overdue": overdue(asked),
                "decide_form": form if permission and may_decide(request) and not overdue(asked) else None,
                "question_pending": not permission,
            }
        return super().change_view(request, object_id, form_url, extra)

    def get_form(self, request: HttpRequest, obj: Request | None = None, change: bool = False, **kwargs: Any) -> Any:
        if obj is not None:
            setattr(obj, SEES_CALLS, may_see_calls(request))
        return super().get_form(request, obj, change, **kwargs)

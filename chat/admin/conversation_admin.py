"""Conversations in the admin: found, read with everything that happened in them, deleted, never changed."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.db.models import Q, QuerySet
from django.forms import Media
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agent_tools.admin.read_only import ReadOnlyAdmin
from chat.admin.assets import CHAT_MEDIA
from chat.admin.conversation_pages import journal_page, message_detail, messages_context, turns_page
from chat.admin.key_list import KeyList
from chat.models import Conversation, Event, Message, Request, Turn, TurnState
from chat.services.conversations import BusyError, delete_conversation

LONGEST_TITLE = 80
PAGES: tuple[tuple[str, Callable[..., HttpResponse], str], ...] = (
    ("turns", turns_page, "turns"),
    ("journal", journal_page, "journal"),
    ("messages/<int:message_id>", message_detail, "message"),
)


class ConversationList(KeyList):
    """The last used ones first."""

    keys = ("-updated_at", "-pk")


@admin.register(Conversation)
class ConversationAdmin(ReadOnlyAdmin[Conversation]):
    """What people and models said. Those who may delete can delete; nobody edits."""

    list_display = ("title_shown", "user", "model", "updated_at")
    list_display_links = ("title_shown",)
    list_filter = ("model",)
    list_select_related = ("user", "model")
    list_per_page = 50
    sortable_by = ()
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    search_fields = ("title",)  # shows the search box; `get_search_results` does the work
    search_help_text = gettext_lazy("Words of the title, a user’s name, or the id of a conversation or turn.")
    change_list_template = "admin/chat/key_list.html"
    fields = ("title",)  # the page's own template shows the rest

    @property
    def media(self) -> Media:
        return super().media + CHAT_MEDIA

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return ConversationList

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        try:
            wanted = uuid.UUID(term)
        except ValueError:
            return queryset.filter(Q(title__icontains=term) | Q(user__username__icontains=term)), False
        turn = Turn.objects.filter(pk=wanted).values("conversation")
        return queryset.filter(Q(pk=wanted) | Q(pk__in=turn)), False

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        own = [
            path("<uuid:conversation_id>/turns/", wrap(partial(turns_page, self)), name="chat_conversation_turns"),
            path(
                "<uuid:conversation_id>/journal/", wrap(partial(journal_page, self)), name="chat_conversation_journal"
            ),
            path(
                "<uuid:conversation_id>/messages/<int:message_id>/",
                wrap(partial(message_detail, self)),
                name="chat_conversation_message",
            ),
        ]
        return [*own, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        conversation = self.get_object(request, object_id)
        extra = dict(extra_context or {})
        if conversation is not None and self.has_view_permission(request, conversation):
            extra |= messages_context(request, conversation)
        return super().change_view(request, object_id, form_url, extra)

    # --- Deleting ----------------------------------------------------------------------------------------------

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[Any, Any], set[Any], list[Any]]:
        """Count what goes along instead of listing it: a conversation may hold very many events."""
        found = list(objs)
        along: tuple[type[Any], ...] = (Message, Turn, Request, Event)
        counts = {model: model.objects.filter(conversation__in=found).count() for model in along}
        named = {str(model._meta.verbose_name_plural): count for model, count in counts.items()}  # noqa: SLF001
        allowed = self.has_delete_permission(request)
        lacking = set() if allowed else {str(self.opts.verbose_name)}
        return [str(each) for each in found], named, lacking, _running(found)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except BusyError:
            self.message_user(request, _busy(), messages.ERROR)
            return HttpResponseRedirect(reverse("admin:chat_conversation_change", args=[object_id]))

    def delete_model(self, request: HttpRequest, obj: Conversation) -> None:
        delete_conversation(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Conversation]) -> None:
        for conversation in queryset:
            try:
                delete_conversation(conversation)
            except BusyError:
                self.message_user(request, f"{conversation}: {_busy()}", messages.ERROR)

    # --- What is shown -----------------------------------------------------------------------------------------

    @admin.display(description=gettext_lazy("title"))
    def title_shown(self, conversation: Conversation) -> str:
        return Truncator(conversation.title).chars(LONGEST_TITLE) or _("(without a title)")


def _busy() -> str:
    return _("An answer is being written. Wait for its end, then delete the conversation.")


def _running(conversations: Iterable[Conversation]) -> list[str]:
    """Return what keeps conversations from being deleted."""
    turns = Turn.objects.filter(conversation__in=list(conversations), state=TurnState.RUNNING)
    return [
        _("a running turn of “%(title)s”; wait for its end") % {"title": turn.conversation}
        for turn in turns.select_related("conversation")
    ]

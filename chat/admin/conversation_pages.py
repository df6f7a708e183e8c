"""Pages of one conversation: its messages, its turns with their steps, its journal."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from agent_tools.admin import json_text
from agent_tools.admin.labels import duration_shown, status_badge
from chat.admin.labels import may_see_calls, turn_badge
from chat.models import Conversation, Event
from chat.selectors import records
from chat.selectors.key_pages import END, KeyPage
from chat.selectors.records import CallShown, MessageRecord, TurnRecord

Admin = admin.ModelAdmin[Conversation]
SUMMARY = 240


@dataclass(frozen=True, slots=True)
class Links:
    """Where the neighbouring pages are; none at an end."""

    first: str | None
    previous: str | None
    following: str | None
    last: str | None


def messages_context(request: HttpRequest, conversation: Conversation) -> dict[str, Any]:
    """Return what the conversation's own page shows of its messages."""
    page = records.message_page(conversation, **_position(request))
    return {
        "entries": [_message(record) for record in records.message_records(conversation, page.rows)],
        "links": _links(request, page),
        "may_see_calls": may_see_calls(request),
        "totals": records.totals(conversation),
        "tab": "messages",
    }


def message_detail(
    model_admin: Admin, request: HttpRequest, conversation_id: uuid.UUID, message_id: int
) -> HttpResponse:
    """Show one message whole; needs the permission to view conversations."""
    conversation = _conversation(model_admin, request, conversation_id)
    message = records.whole_message(conversation, message_id)
    if message is None:
        raise Http404
    entry = _message(records.message_records(conversation, [message])[0])
    extra = {
        "entry": entry,
        "whole": True,
        "may_see_calls": may_see_calls(request),
        "raw": json_text.excerpt(json_text.pretty(message.extra)) if message.extra else None,
    }
    title = _("Message %(id)d") % {"id": message_id}
    return _page(model_admin, request, conversation, "message", {"title": title, **extra})


def turns_page(model_admin: Admin, request: HttpRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Show turns with their steps; needs the permission to view conversations."""
    conversation = _conversation(model_admin, request, conversation_id)
    page = records.turn_page(conversation, **_position(request))
    turns = [_turn(record) for record in records.turn_records(page.rows)]
    extra = {"turns": turns, "links": _links(request, page), "tab": "turns"}
    return _page(model_admin, request, conversation, "turns", {"title": _("Turns and steps"), **extra})


def journal_page(model_admin: Admin, request: HttpRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Show the journal, or with `?turn=` that of one turn; needs the permission to view conversations."""
    conversation = _conversation(model_admin, request, conversation_id)
    turn = _uuid(request.GET.get("turn", ""))
    page = records.event_page(conversation, turn=turn, **_position(request))
    extra = {
        "events": [_event(event) for event in page.rows],
        "links": _links(request, page),
        "turn": turn,
        "after": request.GET.get("after", ""),
        "tab": "journal",
    }
    return _page(model_admin, request, conversation, "journal", {"title": _("Journal"), **extra})


def _conversation(model_admin: Admin, request: HttpRequest, conversation_id: uuid.UUID) -> Conversation:
    conversation = model_admin.get_queryset(request).filter(pk=conversation_id).first()
    if conversation is None:
        raise Http404
    if not model_admin.has_view_permission(request, conversation):
        raise PermissionDenied
    return conversation


def _page(
    model_admin: Admin, request: HttpRequest, conversation: Conversation, name: str, extra: dict[str, Any]
) -> HttpResponse:
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "original": conversation,
        "subtitle": str(conversation),
        "media": model_admin.media,
        "is_popup": False,
        **extra,
    }
    return TemplateResponse(request, f"admin/chat/conversation/{name}.html", context)


def _position(request: HttpRequest) -> dict[str, str]:
    return {name: request.GET.get(name, "") for name in ("after", "before")}


def _links(request: HttpRequest, page: KeyPage[Any]) -> Links:
    def to(**position: str) -> str:
        query = request.GET.copy()
        for name in ("after", "before"):
            query.pop(name, None)
        query.update(position)
        return f"?{query.urlencode()}"

    return Links(
        first=to() if page.previous else None,
        previous=to(before=page.previous) if page.previous else None,
        following=to(after=page.following) if page.following else None,
        last=to(before=END) if page.following else None,
    )


def _message(record: MessageRecord) -> dict[str, Any]:
    message = record.message
    return {
        "record": record,
        "message": message,
        "role": message.get_role_display(),
        "texts": [
            (label, text)
            for label, text in (("", record.content), (_("Thinking"), record.thinking), (_("Notice"), record.notice))
            if text.length
        ],
        "cut": any(text.cut for text in (record.content, record.thinking, record.notice)),
        "calls": [_call(call) for call in record.calls],
    }


def _call(call: CallShown) -> dict[str, Any]:
    record = call.record
    arguments = call.arguments if isinstance(call.arguments, str) else json_text.pretty(call.arguments)
    return {
        "id": call.id,
        "name": call.name,
        "arguments": json_text.excerpt(arguments, records.SHOWN),
        "log": record.log_id if record else None,
        "badge": status_badge(record.status) if record else "",
        "duration": duration_shown(record.duration_ms) if record else None,
    }


def _turn(record: TurnRecord) -> dict[str, Any]:
    turn = record.turn
    return {
        "turn": turn,
        "badge": turn_badge(turn),
        "kind": turn.get_kind_display(),
        "spent": duration_shown(turn.spent_ms) if turn.spent_ms else None,
        "whole": _between(turn.started_at, turn.finished_at),
        "record": record,
        "steps": [{"step": step, "took": _between(step.started_at, step.finished_at)} for step in record.steps],
    }


def _between(begun: Any, ended: Any) -> str | None:
    if begun is None or ended is None:
        return None
    return duration_shown(round((ended - begun) / timedelta(milliseconds=1)))


def _event(event: Event) -> dict[str, Any]:
    compact = json_text.compact(event.data)
    cut = len(compact) > SUMMARY
    return {
        "event": event,
        "summary": f"{compact[:SUMMARY]}…" if cut else compact,
        "whole": json_text.excerpt(json_text.pretty(event.data)) if cut else None,
    }


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None

"""What the list and the page of a request show."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import admin
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agent_tools.admin import json_text
from agent_tools.admin.read_only import ReadOnlyAdmin
from agent_tools.contract.permissions import Decision
from agent_tools.selectors.calls import calls_by_id
from chat.admin.labels import NOTHING, request_badge
from chat.models import Request, RequestKind, RequestState

LONGEST: Final = 80
SEES_CALLS: Final = "_sees_calls"
"""Attribute of a row on its page: whether the reader may follow the link to its call."""


def overdue(asked: Request) -> bool:
    """Tell whether the time for an answer is over, though nobody has closed the request yet."""
    return asked.state == RequestState.PENDING and asked.deadline <= timezone.now()


class RequestColumns(ReadOnlyAdmin[Request]):
    """The columns."""

    @admin.display(description=gettext_lazy("asked"))
    def created_shown(self, asked: Request) -> str:
        return f"{timezone.localtime(asked.created_at):%Y-%m-%d %H:%M:%S}"

    @admin.display(description=gettext_lazy("kind"))
    def kind_shown(self, asked: Request) -> str:
        return str(asked.get_kind_display())

    @admin.display(description=gettext_lazy("what"))
    def what(self, asked: Request) -> str:
        if asked.kind == RequestKind.PERMISSION:
            return format_html("<code>{}</code>", _text(asked.payload, "name"))
        return Truncator(_text(asked.payload, "text")).chars(LONGEST)

    @admin.display(description=gettext_lazy("what"))
    def asked(self, asked: Request) -> str:
        if asked.kind == RequestKind.PERMISSION:
            return format_html(_("May <code>{}</code> run with these arguments?"), _text(asked.payload, "name"))
        return _block(_text(asked.payload, "text"))

    @admin.display(description=gettext_lazy("arguments"))
    def arguments_shown(self, asked: Request) -> str:
        return _block(json_text.pretty(asked.payload.get("arguments")))

    @admin.display(description=gettext_lazy("asked because"))
    def reasons_shown(self, asked: Request) -> str:
        return _listed(asked.payload.get("reasons"))

    @admin.display(description=gettext_lazy("choices"))
    def choices_shown(self, asked: Request) -> str:
        return _listed(asked.payload.get("choices"))

    @admin.display(description=gettext_lazy("state"))
    def state_shown(self, asked: Request) -> str:
        return request_badge(asked, overdue=overdue(asked))

    @admin.display(description=gettext_lazy("person"))
    def person(self, asked: Request) -> str:
        return str(asked.conversation.user)

    @admin.display(description=gettext_lazy("conversation"))
    def conversation_link(self, asked: Request) -> str:
        url = reverse("admin:chat_conversation_change", args=[asked.conversation_id])
        return format_html('<a href="{}">{}</a>', url, Truncator(str(asked.conversation)).chars(LONGEST))

    @admin.display(description=gettext_lazy("call"))
    def call_shown(self, asked: Request) -> str:
        record = calls_by_id([asked.call_id]).get(asked.call_id)
        if record is None or not getattr(asked, SEES_CALLS, False):
            return str(asked.call_id)
        url = reverse("admin:agent_tools_agenttoollog_change", args=[record.log_id])
        return format_html('<a href="{}">{}</a>', url, asked.call_id)

    @admin.display(description=gettext_lazy("waits until"))
    def deadline_shown(self, asked: Request) -> str:
        return f"{timezone.localtime(asked.deadline):%Y-%m-%d %H:%M:%S}"

    @admin.display(description=gettext_lazy("answer"))
    def answer_shown(self, asked: Request) -> str:
        words = {
            Decision.ALLOW_ONCE.value: _("allowed once"),
            Decision.ALLOW_ALWAYS.value: _("allowed for the rest of the conversation"),
            Decision.DENY.value: _("denied"),
        }
        said = asked.answer if isinstance(asked.answer, dict) else {}
        decision = str(said.get("decision") or "")
        parts = [
            words.get(decision, decision),
            *map(str, said.get("chosen") or ()),
            _text(said, "reason"),
            _text(said, "text"),
        ]
        return format_html_join(" – ", "<bdi>{}</bdi>", ((part,) for part in parts if part)) or NOTHING

    @admin.display(description=gettext_lazy("answered by"))
    def answered_by_shown(self, asked: Request) -> str:
        return str(asked.answered_by) if asked.answered_by else NOTHING

    @admin.display(description=gettext_lazy("settled"))
    def answered_shown(self, asked: Request) -> str:
        return f"{timezone.localtime(asked.answered_at):%Y-%m-%d %H:%M:%S}" if asked.answered_at else NOTHING

    @admin.display(description=gettext_lazy("the turn has it"), boolean=True)
    def delivered_shown(self, asked: Request) -> bool:
        return asked.delivered


def _text(payload: Any, name: str) -> str:
    return str(payload.get(name) or "") if isinstance(payload, dict) else ""


def _listed(values: Any) -> str:
    if not isinstance(values, list) or not values:
        return NOTHING
    return format_html(
        '<ul class="learned">{}</ul>', format_html_join("", "<li><bdi>{}</bdi></li>", ((each,) for each in values))
    )


def _block(text: str) -> str:
    return format_html('<pre class="outside-text" tabindex="0">{}</pre>', json_text.excerpt(text).text)

"""Deciding a permission from the admin: the same compare-and-set as on the page, at a URL of its own."""

from __future__ import annotations

import uuid

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agent_tools.contract.errors import AgentToolsError
from agent_tools.contract.permissions import Decision
from chat.frames import Decide
from chat.models import Request
from chat.services.requests import decide_for

Admin = admin.ModelAdmin[Request]
LONGEST_REASON = 2_000


class DecideForm(forms.Form):
    """A decision for exactly the arguments of the hash. The buttons carry the decision."""

    decision = forms.ChoiceField(
        choices=[(Decision.ALLOW_ONCE.value, "allow once"), (Decision.DENY.value, "deny")], widget=forms.HiddenInput
    )
    arguments_hash = forms.RegexField(r"^[0-9a-f]{64}\Z", widget=forms.HiddenInput)
    reason = forms.CharField(
        label=gettext_lazy("Reason for a denial"),
        max_length=LONGEST_REASON,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60, "class": "decide-reason"}),
        help_text=gettext_lazy("Told to the model and shown to the person; may be empty."),
    )


def may_decide(request: HttpRequest) -> bool:
    """Tell whether the operator may decide in a person's place: needs the permission to change requests."""
    return request.user.has_perm("chat.change_request")


def decide(model_admin: Admin, request: HttpRequest, request_id: uuid.UUID) -> HttpResponse:
    """Take the decision (POST) and go back to the request, saying what became of it."""
    asked = model_admin.get_queryset(request).filter(pk=request_id).first()
    if asked is None:
        raise Http404
    if not may_decide(request):
        raise PermissionDenied
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    form = DecideForm(request.POST)
    if form.is_valid():
        _take(model_admin, request, asked, form)
    else:
        problem = next(iter(next(iter(form.errors.values()))))
        model_admin.message_user(request, _("Nothing was decided: %(problem)s") % {"problem": problem}, messages.ERROR)
    return HttpResponseRedirect(reverse("admin:chat_request_change", args=[asked.pk]))


def _take(model_admin: Admin, request: HttpRequest, asked: Request, form: DecideForm) -> None:
    said = form.cleaned_data
    denied = said["decision"] == Decision.DENY
    frame = Decide(
        type="decide",
        request=asked.pk,
        decision=said["decision"],
        arguments_hash=said["arguments_hash"],
        reason=said["reason"] if denied else "",
    )
    try:
        decide_for(int(request.user.pk or 0), asked.conversation_id, frame)
    except AgentToolsError as error:
        model_admin.message_user(request, _refusal(error), messages.WARNING)
        return
    words = _("Denied. The model is told so.") if denied else _("Allowed, this once. The turn goes on.")
    model_admin.message_user(request, words, messages.SUCCESS)
    note = _("Denied in the person’s place.") if denied else _("Allowed once in the person’s place.")
    model_admin.log_change(request, asked, note)


def _refusal(error: AgentToolsError) -> str:
    known = {
        "already_answered": _("This was answered meanwhile; your decision was not needed. Below is what was said."),
        "not_asked_any_more": _("This is not asked any more: its time is over, or the turn has ended."),
        "arguments_changed": _("The arguments are not those that were shown: look again."),
        "unknown_request": _("This is no permission that could be decided."),
        "superseded": _("The conversation is gone."),
    }
    return known.get(error.reason, error.message)

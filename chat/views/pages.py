"""The chat page: server-rendered, each form works without JavaScript; the live part is the socket's."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agent_tools.selectors.calls import call_of_session, whole_output
from agent_tools.selectors.tools import tools_in_set
from chat.forms import BranchForm, NewConversationForm, RenameForm
from chat.models import Conversation
from chat.selectors.conversations import choosable_models, model_in_use
from chat.selectors.transcript import TURNS_SHOWN, transcript
from chat.services.conversations import (
    BusyError,
    NoSuchMessageError,
    create_conversation,
    delete_conversation,
    rename_conversation,
    switch_branch,
)
from chat.views.common import conversation_or_404, frame, person_of

LONGEST_OUTPUT = 100_000
"""Characters of a call's output on its page; the whole is there as plain text."""


@require_safe
@login_required
def start(request: HttpRequest) -> HttpResponse:
    """Show the page on which a conversation begins."""
    return render(request, "chat/start.html", {**frame(request), **_composer(None)})


@require_POST
@login_required
def create(request: HttpRequest) -> HttpResponse:
    """Begin a conversation and show it."""
    form = NewConversationForm(request.POST)
    form.full_clean()
    chosen = form.cleaned_data
    begun = create_conversation(
        person_of(request),
        model=chosen.get("model"),
        tools_on=bool(chosen.get("tools")),
        thinking_on=bool(chosen.get("thinking")),
    )
    return redirect("chat:conversation", begun.pk)


@require_safe
@login_required
def conversations(request: HttpRequest) -> HttpResponse:
    """Give the list of conversations alone."""
    return render(request, "chat/_list.html", frame(request))


@require_safe
@login_required
def conversation(request: HttpRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Show a conversation."""
    found = conversation_or_404(request, conversation_id)
    context = {**frame(request, found), **_transcript(request, found), **_composer(found)}
    return render(request, "chat/conversation.html", context)


@require_safe
@login_required
def transcript_part(request: HttpRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Give the stored part of a conversation alone."""
    return render(request, "chat/_transcript.html", _transcript(request, conversation_or_404(request, conversation_id)))


@require_safe
@login_required
def manage(request: HttpRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Show the forms that rename and delete a conversation."""
    found = conversation_or_404(request, conversation_id)
    return render(request, "chat/manage.html", {**frame(request, found), "conversation": found})


@require_POST
@login_required
def rename(request: HttpRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Give a conversation another title."""
    found = conversation_or_404(request, conversation_id)
    form = RenameForm(request.POST)
    if not form.is_valid():
        context = {**frame(request, found), "conversation": found, "form": form}
        return render(request, "chat/manage.html", context, status=400)
    rename_conversation(found, form.cleaned_data["title"])
    return redirect("chat:conversation", found.pk)


@require_POST
@login_required
def delete(request: HttpRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Delete a conversation."""
    found = conversation_or_404(request, conversation_id)
    try:
        delete_conversation(found)
    except BusyError as error:
        messages.error(request, error.message)
        return redirect("chat:conversation", found.pk)
    messages.success(request, _("The conversation was deleted."))
    return redirect("chat:start")


@require_POST
@login_required
def branch(request: HttpRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Show another branch of a conversation."""
    found = conversation_or_404(request, conversation_id)
    form = BranchForm(request.POST)
    if not form.is_valid():
        raise Http404
    message = form.cleaned_data["message"]
    try:
        switch_branch(found, message)
    except NoSuchMessageError as error:
        raise Http404 from error
    except BusyError as error:
        messages.error(request, error.message)
    response = redirect("chat:conversation", found.pk)
    response["Location"] += f"#m{message}"
    return response


@require_safe
@login_required
def call(request: HttpRequest, conversation_id: uuid.UUID, call_id: uuid.UUID) -> HttpResponse:
    """Show one call of a tool with all that it gave out."""
    found = conversation_or_404(request, conversation_id)
    record = call_of_session(found.pk, call_id)
    if record is None:
        raise Http404
    output = whole_output(found.pk, call_id) or ""
    context = {
        **frame(request, found),
        "conversation": found,
        "call": record,
        "output": output[:LONGEST_OUTPUT],
        "more": len(output) > LONGEST_OUTPUT,
    }
    return render(request, "chat/call.html", context)


@require_safe
@login_required
def call_output(request: HttpRequest, conversation_id: uuid.UUID, call_id: uuid.UUID) -> HttpResponse:
    """Give all that a call gave out, as plain text."""
    output = whole_output(conversation_or_404(request, conversation_id).pk, call_id)
    if output is None:
        raise Http404
    return HttpResponse(output, content_type="text/plain; charset=utf-8")


def _composer(found: Conversation | None) -> dict[str, Any]:
    models = choosable_models()
    return {"models": models, "model": model_in_use(found, models), "tools": tools_in_set(None)}


def _transcript(request: HttpRequest, found: Conversation) -> dict[str, Any]:
    whole = "all" in request.GET
    shown = transcript(found, None if whole else TURNS_SHOWN)
    return {"conversation": found, "transcript": shown, "whole": whole, "now": timezone.now()}

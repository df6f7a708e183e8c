"""What the pages of the chat share: who asks, for which conversation, and the frame around it."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.http import Http404, HttpRequest

from chat.forms import ListForm
from chat.models import Conversation
from chat.selectors.conversations import conversation_of, listing


def person_of(request: HttpRequest) -> AbstractBaseUser:
    """Return who asks; every view stands behind `login_required`."""
    assert isinstance(request.user, AbstractBaseUser)  # noqa: S101 - login_required stands before every view
    return request.user


def conversation_or_404(request: HttpRequest, conversation_id: uuid.UUID) -> Conversation:
    """Return a conversation of the person who asks."""
    found = conversation_of(person_of(request), conversation_id)
    if found is None:
        raise Http404
    return found


def frame(request: HttpRequest, on_view: Conversation | None = None) -> dict[str, Any]:
    """Return what every page's frame shows: the list of conversations, and which is on view."""
    wanted = ListForm(request.GET).wanted()
    current = on_view.pk if on_view else wanted["current"]
    return {"listing": listing(person_of(request), wanted["q"], wanted["size"]), "current": current}

"""Short words for tests of the chat's pages in the admin."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse

from chat.models import ChatModel, Conversation, Request
from tests.fakes.browser_forms import Fields, filled_in

MODELS = "/admin/chat/chatmodel/"
CONVERSATIONS = "/admin/chat/conversation/"
REQUESTS = "/admin/chat/request/"


def text_at(client: Client, url: str) -> str:
    """Return a page that is there as text."""
    response = client.get(url)
    assert response.status_code == 200, response
    return response.content.decode()


def model_url(model: ChatModel, page: str = "change") -> str:
    return reverse(f"admin:chat_chatmodel_{page}", args=[model.pk])


def conversation_url(conversation: Conversation, page: str = "change") -> str:
    return reverse(f"admin:chat_conversation_{page}", args=[conversation.pk])


def request_url(asked: Request, page: str = "change") -> str:
    return reverse(f"admin:chat_request_{page}", args=[asked.pk])


def save_model(client: Client, url: str, **typed: Any) -> Any:
    """Send the form of a model as it stands, less fields typed as none, with what is typed."""
    fields: Fields = {**filled_in(text_at(client, url), "chatmodel_form"), **typed}
    return client.post(url, {name: value for name, value in fields.items() if value is not None})


def errors_of(response: Any) -> dict[str, list[str]]:
    """Return what the form of a page complains of."""
    return dict(response.context["adminform"].form.errors)


def told(response: Any) -> list[str]:
    """Return the messages that the next page shows."""
    return [str(message) for message in response.wsgi_request._messages]

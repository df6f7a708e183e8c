"""A person's conversations, and the models they can choose."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from chat.models import ChatModel, Conversation, Message, Role

PAGE = 40
LONGEST_PAGE = 2_000


@dataclass(frozen=True, slots=True)
class Listing:
    """Some of a person's conversations, newest first; `more` is the size of the next longer list, or none."""

    conversations: list[Conversation]
    query: str
    more: int | None


def conversations_of(user: AbstractBaseUser) -> QuerySet[Conversation]:
    """Return the person's own conversations, each with the beginning of its `first_words`."""
    first = Message.objects.filter(conversation=OuterRef("pk"), role=Role.USER).order_by("id").values("content")[:1]
    return Conversation.objects.filter(user=user.pk).annotate(first_words=Subquery(first))


def conversation_of(user: AbstractBaseUser, conversation_id: uuid.UUID) -> Conversation | None:
    """Return one of the person's own conversations."""
    return conversations_of(user).select_related("model").filter(pk=conversation_id).first()


def listing(user: AbstractBaseUser, query: str = "", size: int = PAGE) -> Listing:
    """Return the newest conversations whose title or messages contain the query."""
    size = max(1, min(size, LONGEST_PAGE))
    found = conversations_of(user).order_by("-updated_at")
    if query:
        said = Message.objects.filter(conversation=OuterRef("pk"), content__icontains=query).exclude(role=Role.TOOL)
        found = found.filter(Q(title__icontains=query) | Exists(said))
    rows = list(found[: size + 1])
    return Listing(rows[:size], query, size + PAGE if len(rows) > size else None)


def choosable_models() -> list[ChatModel]:
    """Return the models that people may choose."""
    return list(ChatModel.objects.filter(enabled=True))


def model_in_use(conversation: Conversation | None, models: list[ChatModel]) -> ChatModel | None:
    """Return the model a next message would go to: the conversation's, else the default, else the first."""
    known = {model.pk: model for model in models}
    if conversation is not None and conversation.model_id in known:
        return known[conversation.model_id]
    return next((model for model in models if model.is_default), models[0] if models else None)

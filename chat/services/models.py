"""Language models as rows: which there are, which is meant, how one is reached."""

from __future__ import annotations

import os
import re
import uuid
from typing import Any

from agent_tools.contract.errors import InvalidInputError, Problem
from chat.conf import conf
from chat.llm.client import CompletionsModel
from chat.llm.clocks import Clocks
from chat.llm.model import LanguageModel
from chat.llm.offline import NAME, OfflineModel
from chat.llm.profile import Profile
from chat.llm.retry import RetryPolicy
from chat.llm.types import ModelEndpoint
from chat.models import Backend, ChatModel, Conversation

KEY_NAME = re.compile(r"[A-Z][A-Z0-9_]*_API_KEY")
OPENAI_URL = "https://api.openai.com/v1"


def choose(conversation: Conversation, wanted: uuid.UUID | None) -> ChatModel:
    """Return the model for a turn: the wanted one, else the conversation's, else the default, else the first that is
    enabled. Raises `InvalidInputError` when the wanted one may not be used, or none can be.
    """
    enabled = ChatModel.objects.filter(enabled=True)
    if wanted is not None:
        model = enabled.filter(pk=wanted).first()
        if model is None:
            raise InvalidInputError([Problem("model", "is not offered; choose another.")], reason="unknown_model")
        return model
    model = enabled.filter(pk=conversation.model_id).first() if conversation.model_id else None
    model = model or default_model()
    if model is None:
        raise InvalidInputError([Problem("model", "none is enabled; an operator has to.")], reason="no_model")
    return model


def default_model() -> ChatModel | None:
    """Return the model for what belongs to no conversation."""
    enabled = ChatModel.objects.filter(enabled=True)
    return enabled.filter(is_default=True).first() or enabled.first()


def connect(
    model: ChatModel,
    *,
    profile: Profile | None = None,
    clocks: Clocks | None = None,
    retries: RetryPolicy | None = None,
) -> LanguageModel:
    """Return the way to a model, to be used as an async context; raises `InvalidInputError` for an unusable row.

    The profile is the stored one, clocks and retries are those of a turn, unless others are given.
    """
    if model.backend == Backend.OFFLINE:
        return OfflineModel()
    clocks = clocks or Clocks(
        first_content=conf.first_content_seconds,
        between_content=conf.between_content_seconds,
        whole=conf.step_seconds,
    )
    known = profile or Profile.from_json(model.profile)
    return CompletionsModel(endpoint_of(model), known, clocks=clocks, retries=retries)


def endpoint_of(model: ChatModel) -> ModelEndpoint:
    """Return where a model is, with its key as the environment holds it now."""
    return ModelEndpoint(
        base_url=model.base_url or OPENAI_URL,
        model=model.model_id,
        api_key=key_of(model),
        parameters=_parameters(model.extra, "extra"),
        thinking_parameters=_parameters(model.thinking_extra, "thinking_extra"),
        plain_parameters=_parameters(model.plain_extra, "plain_extra"),
    )


def origin_of(model: ChatModel) -> str:
    """Name the sender of a model's messages."""
    return NAME if model.backend == Backend.OFFLINE else endpoint_of(model).origin


def key_of(model: ChatModel) -> str:
    """Return the model's key; empty for one without. No variable is read but those named …_API_KEY."""
    if not model.key_variable:
        return ""
    if not KEY_NAME.fullmatch(model.key_variable):
        raise InvalidInputError([Problem("key_variable", "must look like OPENAI_API_KEY: …_API_KEY.")])
    key = os.environ.get(model.key_variable, "").strip()
    if not key:
        raise InvalidInputError(
            [Problem("key_variable", f"the environment has no {model.key_variable}; set it and start again.")],
            reason="no_key",
        )
    return key


def keep_profile(model_id: uuid.UUID, profile: Profile) -> None:
    """Remember what was learned of a model."""
    ChatModel.objects.filter(pk=model_id).update(profile=profile.as_json())


def _parameters(value: object, field: str) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    raise InvalidInputError([Problem(field, "must be a JSON object.")])

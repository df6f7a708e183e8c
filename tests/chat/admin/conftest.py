"""What tests of the chat's admin stand on: models, and a person's conversation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User

from chat.models import ChatModel, Conversation
from tests.fakes.model_server import ModelServer


@pytest.fixture(autouse=True)
def _no_static_files(settings: Any) -> None:
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "whitenoise" not in name]


@pytest.fixture
def model(db: None) -> ChatModel:
    """The default model."""
    return ChatModel.objects.create(
        label="Scripted", base_url="http://127.0.0.1:9/v1", model_id="test-model", is_default=True
    )


@pytest.fixture
def other(model: ChatModel) -> ChatModel:
    """A model beside the default one."""
    return ChatModel.objects.create(label="Other", base_url="http://other:8080/v1", model_id="other-model")


@pytest.fixture
def conversation(person: User, model: ChatModel) -> Conversation:
    """An empty conversation of the person."""
    return Conversation.objects.create(user=person, title="Rotation curves", model=model)


@pytest.fixture
def provider() -> Iterator[ModelServer]:
    """A scripted model in a thread of its own."""
    with ModelServer() as running:
        yield running

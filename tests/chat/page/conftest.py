"""What tests of the pages stand on: a person signed in, and ways to fill a conversation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from agent_tools.models import AgentTool
from chat.models import ChatModel, Conversation
from tests.conftest import SECRET_KEY
from tests.fakes.model_server import ModelServer
from tests.fakes.site import chromium_or_skip, serving, sign_in


@pytest.fixture(autouse=True)
def _no_static_files(settings: Any) -> None:
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "whitenoise" not in name]


@pytest.fixture
def client(person: User) -> Client:
    """A browser in which the person is signed in; it checks CSRF as a real one would."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(person)
    return client


@pytest.fixture
def model(db: None) -> ChatModel:
    """The default model."""
    return ChatModel.objects.create(label="Scripted", base_url="http://127.0.0.1:9/v1", model_id="m", is_default=True)


@pytest.fixture
def conversation(person: User, model: ChatModel) -> Conversation:
    """An empty conversation of the person."""
    return Conversation.objects.create(user=person, title="Rotation curves", model=model)


@pytest.fixture(scope="module")
def site(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the whole site in a process of its own, on the tests' database.

    It ends with the module: like any process it would run the turns that others leave.
    """
    chromium_or_skip()
    with serving(tmp_path_factory.mktemp("site"), SECRET_KEY) as base:
        yield base


@pytest.fixture
def server(transactional_db: None) -> Iterator[ModelServer]:
    """A scripted model, which is the default one, and two tools."""
    with ModelServer() as running:
        ChatModel.objects.create(
            label="Scripted", base_url=running.base_url, model_id="test-model", can_think=True, is_default=True
        )
        for kind in ("wait", "current_time"):
            AgentTool.objects.create(name=kind, slug=kind, type=kind, description=kind, config={})
        yield running


@pytest.fixture
def session(transactional_db: None) -> str:
    """The key of a session in which a person is signed in."""
    return sign_in(User.objects.create_user("person"))

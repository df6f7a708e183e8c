"""What tests of the chat stand on: tools of every temper, a strict scripted model, a person's conversation."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from django.contrib.auth.models import User

from agent_tools.models import AgentTool
from agent_tools.registry import registry
from chat import database
from chat.database import in_database
from tests.fakes import marks
from tests.fakes.chat import Chat, chat_of, model_at
from tests.fakes.model_server import ModelServer
from tests.fakes.strict_provider import Strict
from tests.fakes.tool_types import TYPES, known_types


@pytest.fixture(autouse=True)
def _no_kept_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave no connection behind that would keep the test's database from being dropped."""
    monkeypatch.setattr(database, "KEPT_SECONDS", 0.0)


@pytest.fixture
def tools(transactional_db: None) -> Iterator[None]:
    """Have one enabled tool of each type that exists for tests, named like its type."""
    with known_types():
        for name in TYPES:
            AgentTool.objects.create(name=name, slug=name, type=name, description=name, config={}, enabled=True)
        yield


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    """A scripted model as strict as OpenAI; whatever it had to refuse fails the test."""
    async with ModelServer(strict=Strict()) as running:
        yield running
        assert not running.refused


@pytest.fixture
async def chat(transactional_db: None, person: User, server: ModelServer) -> AsyncIterator[Chat]:
    """A conversation of the person with the scripted model."""
    model = await in_database(model_at, server.base_url)
    async with chat_of(person, model) as conversation:
        yield conversation


@pytest.fixture
def marking(transactional_db: None) -> Iterator[None]:
    """Have the tools that leave marks, here and in other processes on the same database."""
    with registry.extended(marks.TYPES):
        for name in marks.TYPES:
            AgentTool.objects.create(name=name, slug=name, type=name, description=name, enabled=True)
        yield

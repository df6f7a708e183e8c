"""What the tests of the admin stand on: types for every kind of field, and tools of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from agent_tools.models import AgentTool
from agent_tools.registry import registry
from agent_tools.services.tools import create_tool
from tests.fakes.admin_types import TYPES


@pytest.fixture(autouse=True)
def _types(settings: Any) -> Iterator[None]:
    settings.WHITENOISE_AUTOREFRESH = True  # else it wants the collected files
    with registry.extended(TYPES):
        yield


@pytest.fixture
def shop(db: None) -> AgentTool:
    """A tool with secrets set."""
    config = {"token": "stored-token", "headers": {"X-Key": "stored-key"}, "limits": {"key": "stored-limit-key"}}
    return create_tool(name="Shop", slug="shop", description="Buys things.", type="shop", config=config)

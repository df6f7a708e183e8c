"""What the tests of the admin stand on: types for every kind of field, and tools of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from agent_tools.models import AgentTool
from agent_tools.registry import registry
from agent_tools.services.tools import create_tool
from tests.fakes.admin_types import SECRETS, TYPES


@pytest.fixture(autouse=True)
def _types(settings: Any) -> Iterator[None]:
    # WhiteNoise looks through every static file for each new client, which is what most of the time would go into.
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "whitenoise" not in name]
    with registry.extended(TYPES):
        yield


@pytest.fixture
def shop(db: None) -> AgentTool:
    """A tool with secrets set."""
    token, key, limit_key = SECRETS
    config = {"token": token, "headers": {"X-Key": key}, "limits": {"key": limit_key}}
    return create_tool(name="Shop", slug="shop", description="Buys things.", type="shop", config=config)

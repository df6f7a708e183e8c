"""What tests of the chat stand on: tools of every temper."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent_tools.models import AgentTool
from tests.fakes.tool_types import TYPES, known_types


@pytest.fixture
def tools(transactional_db: None) -> Iterator[None]:
    """Have one enabled tool of each type that exists for tests, named like its type."""
    with known_types():
        for name in TYPES:
            AgentTool.objects.create(name=name, slug=name, type=name, description=name, config={}, enabled=True)
        yield

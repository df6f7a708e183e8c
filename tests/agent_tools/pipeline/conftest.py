"""Every test of the pipeline knows the test's tool types and no hooks but its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent_tools.contract.hooks import registry as hooks
from tests.fakes.tool_types import known_types


@pytest.fixture(autouse=True)
def _types() -> Iterator[None]:
    with known_types():
        yield


@pytest.fixture(autouse=True)
def _no_hooks() -> Iterator[None]:
    before, after = list(hooks.before), list(hooks.after)
    hooks.before.clear()
    hooks.after.clear()
    yield
    hooks.before[:], hooks.after[:] = before, after

"""A scripted web for the tests of the network's guards."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.fakes.web import FakeWeb


@pytest.fixture
async def web() -> AsyncIterator[FakeWeb]:
    """A scripted web in the test's own loop."""
    async with FakeWeb() as serving:
        yield serving

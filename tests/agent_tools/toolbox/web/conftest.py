"""A scripted web, and fetch as a tool opened to it and nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from agent_tools.contract.result import ToolResult
from agent_tools.toolbox.web.fetch import Fetch
from agent_tools.toolbox.web.fetch_config import FetchConfig, FetchInput
from tests.fakes.contexts import tool_context
from tests.fakes.web import FakeWeb

Fetching = Callable[..., Awaitable[ToolResult]]


@pytest.fixture
async def web() -> AsyncIterator[FakeWeb]:
    async with FakeWeb() as running:
        yield running


@pytest.fixture
def fetch(web: FakeWeb) -> Fetching:
    """Fetch a path of the scripted web: `await fetch("/path", config={...}, method="POST", ...)`."""

    async def run(path: str, *, config: dict[str, Any] | None = None, **fields: Any) -> ToolResult:
        opened = {"allowed_networks": [f"127.0.0.1/32:{web.port}"], **(config or {})}
        url = path if "://" in path else web.url(path)
        return await Fetch().execute(
            FetchInput(url=url, **fields), FetchConfig.model_validate(opened), tool_context("fetch")
        )

    return run

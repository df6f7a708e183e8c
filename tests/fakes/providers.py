"""Providers and rows for tests of the checks, and short words for what the checks tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chat.models import ChatModel
from chat.services.provider_checks import Report, check_provider
from chat.services.provider_verdicts import CheckName, Verdict
from tests.fakes import model_script as says
from tests.fakes.model_connection import Recorded
from tests.fakes.model_script import Reply, answer, calls, reply, text, thinking, tool_call
from tests.fakes.model_server import ModelServer
from tests.fakes.strict_provider import Strict

ADDRESS = {"url": "https://example.org/"}


def good(request: Recorded) -> Reply:
    """A model that does everything that it is asked to."""
    body = request.body
    if body.get("tool_choice") == "none" or body["messages"][-1]["role"] == "tool":
        return answer("Example Domain.")
    if "tools" in body:
        return calls(tool_call("fetch", ADDRESS))
    if body.get("think"):
        return reply(thinking("Seventeen twenties, then"), text("391"), says.finish(), says.usage(), says.done())
    return answer("Hello, one two three.")


def always(told: Reply) -> Callable[[Recorded], Reply]:
    """A model that says the same whatever it is asked."""

    def respond(_request: Recorded) -> Reply:
        return told

    return respond


def row(server: ModelServer | None = None, **fields: Any) -> ChatModel:
    """Return a model that is nowhere stored, at this server or where nobody listens."""
    base_url = server.base_url if server else "http://127.0.0.1:9/v1"
    return ChatModel(**{"label": "M", "base_url": base_url, "model_id": "test-model", **fields})


def verdicts(report: Report) -> list[Verdict]:
    """Return how all checks went, in their order."""
    assert [check.name for check in report.checks] == list(CheckName)
    return [check.verdict for check in report.checks]


def of(report: Report, name: CheckName) -> str:
    """Return what a check told and advised."""
    check = next(check for check in report.checks if check.name is name)
    return f"{check.told} {check.advice}"


async def checked(respond: Any = good, *, strict: Strict | None = None, seconds: float = 5.0, **fields: Any) -> Report:
    async with ModelServer(strict=strict or Strict()) as server:
        server.respond = respond
        return await check_provider(row(server, **fields), seconds=seconds)

"""The README's client works: its code as printed, its requests answered by the API itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import responses
from django.test import Client
from requests import PreparedRequest

from agent_tools.models import AgentTool, AgentToolLog

README = Path(__file__).resolve().parents[3] / "README.md"
SITE = "https://tools.example.org"

pytestmark = pytest.mark.django_db(transaction=True)


def printed_code() -> str:
    """Return the code block behind its marker in the README."""
    [code] = re.findall(r"<!-- example: rest-client -->\n```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    return str(code)


def answered(request: PreparedRequest) -> tuple[int, dict[str, str], bytes]:
    """Let the API answer a request of the client."""
    answer: Any = Client().generic(
        str(request.method),
        request.path_url,
        request.body or b"",
        request.headers.get("Content-Type", ""),
        headers={"authorization": request.headers["Authorization"], "accept": request.headers["Accept"]},
    )
    headers = {name: value for name, value in answer.headers.items() if name != "Content-Type"}
    return answer.status_code, headers | {"Content-Type": answer["Content-Type"]}, answer.content


@pytest.fixture
def agent_tools() -> Iterator[Any]:
    """The printed class, its requests led to the API."""
    namespace: dict[str, Any] = {}
    exec(compile(printed_code(), "README.md", "exec"), namespace)  # noqa: S102 - our own README
    with responses.RequestsMock() as web:
        for method in ("GET", "POST"):
            web.add_callback(method, re.compile(rf"{SITE}/api/.*"), answered)
        web.assert_all_requests_are_fired = False
        yield namespace["AgentTools"]


def test_it_lists_the_tools(agent_tools: Any, key: str, greeter: AgentTool) -> None:
    assert list(agent_tools(SITE, key).tools()) == ["greeter"]


def test_it_runs_a_tool(agent_tools: Any, key: str, greeter: AgentTool) -> None:
    data = agent_tools(f"{SITE}/", key).run("greeter", name="you", url="https://example.org/")
    assert data == {"greetings": ["Hello, you!"]}
    assert AgentToolLog.objects.get().door == "api"


def test_it_raises_what_a_failed_run_says(agent_tools: Any, key: str, greeter: AgentTool) -> None:
    with pytest.raises(RuntimeError, match="greeter: Nobody is there to be greeted") as caught:
        agent_tools(SITE, key).run("greeter", name="nobody", url="u")
    assert str(AgentToolLog.objects.get().call_id) in str(caught.value)


def test_it_raises_what_a_problem_says(agent_tools: Any, greeter: AgentTool) -> None:
    with pytest.raises(RuntimeError, match="Authentication failed: The token is wrong"):
        agent_tools(SITE, "wrong").tools()

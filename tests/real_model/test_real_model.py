"""A real language model, the tiny one of `make toy-model`, calls a real tool on a real page and answers in words."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from agent_tools.models import AgentToolLog
from agent_tools.services.tools import offer_tool
from chat import database
from chat.database import in_database
from chat.llm.profile import Profile, SchemaLevel
from chat.management.commands.toy_model import LABEL, PYTHON, ROOT, SERVER
from chat.models import ChatModel, Message
from chat.toy.server import CONTEXT_TOKENS, NAME
from tests.fakes import chat as chats
from tests.fakes.chat import chat_of, model_at
from tests.fakes.serving import database_url
from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import page

pytestmark = [pytest.mark.real_model, pytest.mark.django_db(transaction=True), pytest.mark.timeout(600)]

PATIENCE = 300.0
ENDS_WITHIN = 20.0
PAGE = """<html><head><title>Lighthouse</title></head><body><h1>The lighthouse of Marrow Point</h1>
<p>The lighthouse of Marrow Point was built in 1874 from grey granite. It is 31 metres tall and its light can be seen
from 40 kilometres away. Since 1988 it works without a keeper.</p></body></html>"""


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a model on one thread its time, and leave no connection that would keep the database from being dropped."""
    monkeypatch.setattr(chats, "PATIENCE", PATIENCE)
    monkeypatch.setattr(database, "KEPT_SECONDS", 0.0)


def _started(arguments: list[str], **environment: str) -> subprocess.Popen[str]:
    if not PYTHON.exists():
        pytest.skip(f"{PYTHON} is missing: `make test-real-model` installs it")
    return subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT, env=os.environ | environment
    )


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return str(process.stdout.readline()).strip()


@pytest.fixture
def server() -> Iterator[subprocess.Popen[str]]:
    """The toy model's server; killed at the end where the test did not end it."""
    with _started([str(PYTHON), str(SERVER)]) as process:
        yield process
        process.kill()


async def test_a_real_model_fetches_a_page_and_summarises_it(person: User, server: subprocess.Popen[str]) -> None:
    address = _line(server)
    profile = Profile(schema=SchemaLevel.PLAIN).as_json()
    model = await in_database(
        lambda: model_at(address, model_id=NAME, context_window=CONTEXT_TOKENS, profile=profile),
    )
    async with FakeWeb() as web:
        web.on("/lighthouse", page(PAGE))
        url = web.url("/lighthouse")
        await in_database(
            lambda: offer_tool(
                slug="fetch",
                type_name="fetch",
                name="Fetch",
                description=f"Fetch a page of the site at {web.url('/')}.",
                config={"allowed_domains": ["127.0.0.1"], "allowed_networks": [f"127.0.0.1/32:{web.port}"]},
            )
        )
        async with chat_of(person, model) as chat, chat.socket() as socket:
            await socket.send(f"Fetch {url} and summarise it", tools=True)
            finished = await socket.finished()
    rows = [row async for row in AgentToolLog.objects.order_by("id")]
    assert [(row.tool_slug, row.status) for row in rows] == [("fetch", "success")]
    assert (rows[0].input or {})["url"] == url
    assert "/lighthouse" in web.paths
    assert [event["name"] for event in socket.of("tool_call")] == ["fetch"]
    assert finished["reason"] == "completed"
    answer = await Message.objects.aget(pk=finished["message"])
    assert answer.role == "assistant"
    assert "lighthouse" in answer.content.lower()
    assert len(answer.content.split()) >= 5
    assert "<" not in answer.content


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_a_signal_ends_the_server_with_0(server: subprocess.Popen[str], number: signal.Signals) -> None:
    address = _line(server)
    assert address.startswith("http://127.0.0.1:")
    assert address.endswith("/v1")
    server.send_signal(number)
    assert server.wait(ENDS_WITHIN) == 0


def test_the_command_offers_the_model_and_takes_it_back(tmp_path: Path) -> None:
    environment = {"DATABASE_URL": database_url(), "DATA_DIR": str(tmp_path), "PYTHONWARNINGS": "ignore"}
    with _started([sys.executable, "manage.py", "toy_model"], **environment) as command:
        try:
            assert LABEL in _line(command)
            assert ChatModel.objects.get(label=LABEL, enabled=True).base_url.startswith("http://127.0.0.1:")
            command.terminate()
            assert command.wait(ENDS_WITHIN) == 0
        finally:
            command.terminate()
    assert not ChatModel.objects.get(label=LABEL).enabled

"""Models as rows: the environment's, the built-in one, keys looked up where they are and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from agent_tools.contract.errors import InvalidInputError
from agent_tools.contract.ports import Prompt
from chat.database import in_database
from chat.models import ChatModel, Conversation
from chat.ports.factory import build_ports
from chat.services.install import install_models
from chat.services.models import choose, endpoint_of, key_of
from tests.fakes.chat import chat_of, model_at
from tests.fakes.flags import Gate
from tests.fakes.model_script import answer, reply, text
from tests.fakes.model_server import ModelServer


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def default() -> ChatModel:
    return ChatModel.objects.get(is_default=True)


def test_without_a_key_the_built_in_model_is_the_default(db: None) -> None:
    call_command("install_models", verbosity=0)
    assert install_models() == []
    assert (default().backend, ChatModel.objects.count()) == ("offline", 1)


def test_a_key_in_the_environment_makes_its_model_the_default(
    db: None, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    install_models()
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    settings.CHAT = {**settings.CHAT, "OPENAI_MODEL": "some-model"}
    [made] = install_models()
    assert (made.label, made.is_default, made.base_url) == ("some-model", True, "https://api.openai.com/v1")
    assert endpoint_of(made).api_key == "sk-1"
    settings.CHAT = {**settings.CHAT, "OPENAI_MODEL": "newer", "OPENAI_BASE_URL": "http://localhost:1/v1"}
    assert install_models() == []
    refreshed = default()
    assert (refreshed.pk, refreshed.model_id, refreshed.base_url) == (made.pk, "newer", "http://localhost:1/v1")
    monkeypatch.delenv("OPENAI_API_KEY")
    settings.CHAT = {**settings.CHAT, "OPENAI_BASE_URL": ""}
    install_models()
    assert default().backend == "offline"
    assert not ChatModel.objects.get(pk=made.pk).enabled


def test_a_server_without_a_key_is_enough(db: None, settings: Any) -> None:
    settings.CHAT = {**settings.CHAT, "OPENAI_BASE_URL": "http://localhost:11434/v1"}
    install_models()
    assert (default().base_url, key_of(default())) == ("http://localhost:11434/v1", "")


def test_an_operators_choice_of_the_default_stays(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    own = ChatModel.objects.create(label="Own", base_url="http://localhost:1/v1", model_id="own", is_default=True)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    install_models()
    assert default().pk == own.pk


@pytest.mark.parametrize("name", ["SECRET_KEY", "HOME", "DATABASE_URL", "openai_api_key"])
def test_no_other_variable_is_read(db: None, name: str) -> None:
    with pytest.raises(InvalidInputError, match="_API_KEY"):
        key_of(ChatModel(label="x", key_variable=name))


def test_a_model_that_is_switched_off_is_not_chosen(person: User) -> None:
    off = ChatModel.objects.create(label="Off", model_id="off", enabled=False)
    on = ChatModel.objects.create(label="On", model_id="on")
    conversation = Conversation.objects.create(user=person, model=off)
    assert choose(conversation, None) == on
    with pytest.raises(InvalidInputError):
        choose(conversation, off.pk)
    on.enabled = False
    on.save()
    with pytest.raises(InvalidInputError, match="none is enabled"):
        choose(conversation, None)


@pytest.mark.django_db(transaction=True)
async def test_outside_a_conversation_tools_have_the_default_model(person: User) -> None:
    async with ModelServer() as server:
        server.script(answer('{"a": 1}'))
        await in_database(model_at, server.base_url, is_default=True)
        ports = build_ports(user_id=person.pk)
        assert not ports.can_ask
        asked = Prompt(messages=[("user", "Give me an object.")], schema={"type": "object"}, max_tokens=50)
        completion = await ports.model.complete(asked)
    assert (completion.text, completion.usage) == ('{"a": 1}', {"input_tokens": 10, "output_tokens": 5})
    assert server.bodies[0]["max_tokens"] == 50


@pytest.mark.django_db(transaction=True)
async def test_the_built_in_model_answers_at_once_and_says_what_it_is(person: User) -> None:
    await in_database(install_models)
    async with chat_of(person) as chat, chat.socket() as socket:
        await socket.send("Who are you?")
        assert (await socket.finished())["reason"] == "completed"
    assert "offline" in socket.text()


@pytest.mark.django_db(transaction=True)
async def test_a_model_that_goes_away_while_a_message_waits_hands_it_to_no_other(person: User) -> None:
    gate = Gate()
    async with ModelServer() as server:
        model = await in_database(model_at, server.base_url)
        await in_database(model_at, server.base_url, is_default=True)
        server.script(reply(text("First"), [gate], answer(".").steps))
        async with chat_of(person, model) as chat, chat.socket() as socket:
            await socket.send("One")
            await gate.reached.waited()
            await socket.send("Private")
            await socket.until("message_added", lambda event: event["queued"])
            await ChatModel.objects.filter(pk=model.pk).adelete()
            gate.open()
            await socket.finished()
            await socket.finished()
    assert socket.of("error")[0]["code"] == "unknown_model"
    assert len(server.requests) == 1

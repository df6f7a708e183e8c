from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from chat.admin.model_examples import EXAMPLES, examples
from chat.admin.profile_words import words_of
from chat.llm.profile import Echo, IdStyle, MaxTokensName, Profile
from chat.models import Backend, ChatModel
from chat.models.model import validate_base_url
from tests.fakes.admin_pages import model_url, text_at, told
from tests.fakes.browser_forms import filled_in
from tests.fakes.model_connection import Recorded
from tests.fakes.model_script import Reply, answer, calls, status, tool_call
from tests.fakes.model_server import ModelServer
from tests.fakes.providers import always
from tests.fakes.staff import staff_client
from tests.fakes.strict_provider import Strict

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "sk-very-secret-0123456789"


def good(request: Recorded) -> Reply:
    called = "tools" in request.body and "tool_choice" not in request.body
    return calls(tool_call("fetch", {"url": "https://example.org/"})) if called else answer("Hello, one two.")


@pytest.fixture
def tested(model: ChatModel, provider: ModelServer) -> ChatModel:
    """A model whose provider does what it should."""
    provider.respond = good
    ChatModel.objects.filter(pk=model.pk).update(base_url=provider.base_url)
    return model


def try_out(client: Client, model: ChatModel) -> Any:
    url = model_url(model, "test")
    return client.post(url, filled_in(text_at(client, url), "test-form"))


def test_looking_asks_nothing(operator_client: Client, tested: ChatModel, provider: ModelServer) -> None:
    text = text_at(operator_client, model_url(tested, "test"))
    assert provider.base_url in text
    assert "Streams text" in text
    assert not provider.requests


def test_a_test_tells_what_works_and_keeps_what_was_learned(
    operator_client: Client, tested: ChatModel, provider: ModelServer
) -> None:
    provider.strict = Strict(system=False)
    response = try_out(operator_client, tested)
    text = response.content.decode()
    assert "Everything works." in text
    assert text.count("status-success") == 5
    assert "It takes no system message" in text
    assert ChatModel.objects.get().profile == {"system": False}


def test_a_failure_says_what_to_do_and_not_the_key(
    operator_client: Client, tested: ChatModel, provider: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_API_KEY", SECRET)
    ChatModel.objects.update(key_variable="TEST_API_KEY")
    provider.respond = always(status(401, {"error": {"message": f"{SECRET} <script>x</script>"}}))
    text = try_out(operator_client, tested).content.decode()
    assert "1 check failed." in text
    assert "Check what the environment variable holds" in text
    assert "&lt;script&gt;" in text
    assert "<script>x" not in text
    assert SECRET not in text


def test_a_disabled_model_can_be_tested_and_the_built_in_one_says_what_it_is(
    operator_client: Client, tested: ChatModel
) -> None:
    toy = ChatModel.objects.create(label="Toy", backend=Backend.OFFLINE, enabled=False)
    text = text_at(operator_client, model_url(toy, "test"))
    assert "there is no provider to test" in text
    assert "people cannot choose it" in text
    assert "It is built in" in try_out(operator_client, toy).content.decode()


def test_a_test_runs_outside_any_transaction(operator_client: Client, tested: ChatModel, provider: ModelServer) -> None:
    """Another connection sees what is written while the test runs, so none of it waits for the page."""
    with CaptureQueriesContext(connection) as queries:
        try_out(operator_client, tested)
    saved = next(at for at, query in enumerate(queries) if '"profile"' in query["sql"] and "UPDATE" in query["sql"])
    before = [query["sql"] for query in queries][:saved]
    assert not any(sql.startswith("BEGIN") for sql in before)


def test_a_test_needs_its_token_and_the_permission_to_change(
    operator_client: Client, tested: ChatModel, provider: ModelServer
) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = operator_client.cookies
    onlooker = staff_client("view_chatmodel")
    for page in ("test", "forget"):
        assert strict.post(model_url(tested, page)).status_code == 403
        assert onlooker.post(model_url(tested, page)).status_code == 403
        assert Client().post(model_url(tested, page)).status_code == 302
    assert onlooker.get(model_url(tested, "test")).status_code == 403
    assert not provider.requests


def test_a_model_that_is_not_there_is_not_found(operator_client: Client, model: ChatModel) -> None:
    url = model_url(model, "test")
    ChatModel.objects.all().delete()
    assert operator_client.get(url).status_code == 404


def test_what_was_learned_is_forgotten_by_its_button(operator_client: Client, model: ChatModel) -> None:
    assert "forget-profile" not in text_at(operator_client, model_url(model))
    ChatModel.objects.update(profile={"tools": False})
    form = filled_in(text_at(operator_client, model_url(model)), "forget-profile")
    assert operator_client.get(model_url(model, "forget")).status_code == 405
    response = operator_client.post(model_url(model, "forget"), form)
    assert "What was learned is forgotten" in told(response)[0]
    assert ChatModel.objects.get().profile == {}


def test_everything_that_can_be_learned_has_words() -> None:
    learned = Profile(
        tools=False,
        system=False,
        images=False,
        user_after_tool=False,
        calls_need_tools=True,
        max_tokens_name=MaxTokensName.MAX_COMPLETION_TOKENS,
        empty_content="empty",  # type: ignore[arg-type]
        id_style=IdStyle.OWN,
        echo=Echo.NEVER,
        reasoning_field="reasoning",
        replay=False,
        schema="plain",  # type: ignore[arg-type]
        refused=frozenset({"seed"}),
        interleaved=True,
        cumulative=True,
    )
    assert set(learned.as_json()) == set(Profile.__dataclass_fields__), "say here what else can be learned"
    assert len(set(words_of(learned))) == len(learned.as_json())
    assert words_of(Profile()) == []


def test_the_examples_would_be_taken() -> None:
    for example in EXAMPLES:
        validate_base_url(example.base_url)
    assert "http://127.0.0.1:11434/v1" in examples()

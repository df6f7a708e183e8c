from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from chat.models import Backend, ChatModel
from chat.services.models import endpoint_of
from tests.fakes.admin_pages import MODELS, errors_of, model_url, save_model, text_at, told
from tests.fakes.browser_forms import filled_in
from tests.fakes.staff import staff_client

pytestmark = pytest.mark.django_db
ADD = f"{MODELS}add/"
SECRET = "sk-very-secret-0123456789"


def add(client: Client, **typed: Any) -> Any:
    return save_model(client, ADD, **{"label": "New", "model_id": "m", **typed})


def test_a_model_is_added_with_all_that_can_be_said_of_it(operator_client: Client, model: ChatModel) -> None:
    response = add(
        operator_client,
        base_url="http://ollama:11434/v1",
        key_variable="MY_GATEWAY_API_KEY",
        can_think="on",
        extra='{"temperature": 0.2}',
        thinking_extra='{"enable_thinking": true}',
        plain_extra='{"enable_thinking": false}',
        input_price="0.15",
    )
    assert response.status_code == 302
    added = ChatModel.objects.get(label="New")
    assert (added.can_think, added.can_use_tools, added.enabled, added.is_default) == (True, True, True, False)
    assert (added.extra, added.thinking_extra) == ({"temperature": 0.2}, {"enable_thinking": True})
    added.key_variable = ""
    assert endpoint_of(added).plain_parameters == {"enable_thinking": False}


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        ({"base_url": "ftp://x/v1"}, "base_url", "must be a URL"),
        ({"base_url": "http://a b/v1"}, "base_url", "must be a URL"),
        ({"base_url": "http://x:99999/v1"}, "base_url", "must be a URL"),
        ({"base_url": "api.openai.com/v1"}, "base_url", "must be a URL"),
        ({"base_url": "http://me:secret@x/v1"}, "base_url", "has no place in the URL"),
        ({"base_url": "http://x/v1?key=1"}, "base_url", "Leave out what follows the path"),
        ({"base_url": "http://x/v1/chat/completions"}, "base_url", "Leave out /chat/completions"),
        ({"model_id": ""}, "model_id", "Enter the provider’s name"),
        ({"label": "Scripted"}, "label", "already exists"),
        ({"key_variable": SECRET}, "key_variable", "must look like OPENAI_API_KEY"),
        ({"key_variable": "SECRET_KEY"}, "key_variable", "must look like OPENAI_API_KEY"),
        ({"key_variable": "DATABASE_URL"}, "key_variable", "must look like OPENAI_API_KEY"),
        ({"context_window": "10"}, "context_window", "greater than or equal to 512"),
        ({"input_price": "-1"}, "input_price", "greater than or equal to 0"),
        ({"extra": "[1]"}, "extra", "must be a JSON object"),
        ({"extra": '"text"'}, "extra", "must be a JSON object"),
        ({"thinking_extra": "{"}, "thinking_extra", "not valid JSON: line 1"),
        ({"plain_extra": '{"a": NaN}'}, "plain_extra", "NaN is no JSON number"),
        ({"extra": '{"model": "x", "tools": []}'}, "extra", "leave them out: model, tools"),
        ({"plain_extra": '{"stream": false}'}, "plain_extra", "leave them out: stream"),
        ({"enabled": None, "make_default": "on"}, "make_default", "A disabled model cannot be the default"),
    ],
)
def test_what_could_never_work_is_refused_by_name(
    operator_client: Client, model: ChatModel, typed: dict[str, Any], field: str, words: str
) -> None:
    response = add(operator_client, **typed)
    assert response.status_code == 200
    assert words in " ".join(errors_of(response)[field])
    assert ChatModel.objects.get() == model


def test_what_was_typed_as_parameters_stays(operator_client: Client, model: ChatModel) -> None:
    response = add(operator_client, extra='{"a": ')
    assert filled_in(response.content.decode(), "chatmodel_form")["extra"] == '{"a": '


def test_parameters_may_be_emptied(operator_client: Client, other: ChatModel) -> None:
    ChatModel.objects.filter(pk=other.pk).update(extra={"a": 1})
    assert save_model(operator_client, model_url(other), extra=" ").status_code == 302
    assert ChatModel.objects.get(pk=other.pk).extra == {}


def test_the_built_in_model_needs_no_address(operator_client: Client, model: ChatModel) -> None:
    assert add(operator_client, backend=Backend.OFFLINE, model_id="").status_code == 302


def test_choosing_a_default_moves_it(operator_client: Client, model: ChatModel, other: ChatModel) -> None:
    response = save_model(operator_client, model_url(other), make_default="on")
    assert "Other is the default now." in told(response)
    assert list(ChatModel.objects.filter(is_default=True)) == [other]
    assert "To move it, choose another model" in text_at(operator_client, model_url(other))


def test_the_default_cannot_be_unticked_or_disabled(operator_client: Client, model: ChatModel) -> None:
    save_model(operator_client, model_url(model), make_default=None)
    assert ChatModel.objects.get().is_default
    response = save_model(operator_client, model_url(model), enabled=None)
    assert "choose another one as the default first" in errors_of(response)["enabled"][0]
    assert ChatModel.objects.get().enabled


def test_the_first_model_is_the_default(operator_client: Client) -> None:
    assert "There was no default: New is it now." in told(add(operator_client))
    assert ChatModel.objects.get().is_default


def test_only_what_was_changed_is_written(operator_client: Client, other: ChatModel) -> None:
    form = filled_in(text_at(operator_client, model_url(other)), "chatmodel_form")
    ChatModel.objects.filter(pk=other.pk).update(profile={"tools": False}, sort_order=7)
    operator_client.post(model_url(other), {**form, "label": "Renamed", "sort_order": 7})
    stored = ChatModel.objects.get(pk=other.pk)
    assert (stored.label, stored.sort_order, stored.profile) == ("Renamed", 7, {"tools": False})


@pytest.mark.parametrize("typed", [{"base_url": "http://elsewhere/v1"}, {"model_id": "newer"}])
def test_what_was_learned_of_another_model_is_forgotten(
    operator_client: Client, other: ChatModel, typed: dict[str, str]
) -> None:
    ChatModel.objects.filter(pk=other.pk).update(profile={"tools": False})
    response = save_model(operator_client, model_url(other), **typed)
    assert "What was learned of the former model is forgotten." in told(response)
    assert ChatModel.objects.get(pk=other.pk).profile == {}


def test_a_key_is_never_shown_but_whether_it_is_there(
    operator_client: Client, other: ChatModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    ChatModel.objects.filter(pk=other.pk).update(key_variable="OTHER_API_KEY")
    assert "not in the environment" in text_at(operator_client, model_url(other))
    monkeypatch.setenv("OTHER_API_KEY", SECRET)
    for url in (model_url(other), model_url(other, "test"), MODELS):
        text = text_at(operator_client, url)
        assert "not in the environment" not in text
        assert "in the environment" in text
        assert SECRET not in text


def test_a_model_of_the_environment_keeps_what_the_environment_says(operator_client: Client, other: ChatModel) -> None:
    ChatModel.objects.filter(pk=other.pk).update(from_environment=True)
    text = text_at(operator_client, model_url(other))
    assert "This model comes from the environment" in text
    assert "base_url" not in filled_in(text, "chatmodel_form")
    save_model(operator_client, model_url(other), label="Mine", base_url="http://evil/v1", model_id="x")
    stored = ChatModel.objects.get(pk=other.pk)
    assert (stored.label, stored.base_url, stored.model_id) == ("Mine", "http://other:8080/v1", "other-model")
    assert "from the environment" in text_at(operator_client, MODELS)


def test_what_was_learned_is_told_in_words(operator_client: Client, other: ChatModel) -> None:
    assert "Nothing unusual" in text_at(operator_client, model_url(other))
    ChatModel.objects.filter(pk=other.pk).update(profile={"system": False, "refused": ["seed", "<b>"]})
    text = text_at(operator_client, model_url(other))
    assert "It takes no system message" in text
    assert "&lt;b&gt;, seed" in text


def test_who_may_only_look_changes_nothing(model: ChatModel, other: ChatModel) -> None:
    ChatModel.objects.filter(pk=other.pk).update(profile={"tools": False})
    client = staff_client("view_chatmodel")
    text = text_at(client, model_url(other))
    assert "It takes no tools" in text
    assert "forget" not in text
    assert "Test this provider" not in text
    assert client.post(model_url(other), {"label": "X"}).status_code == 403
    assert client.get(ADD).status_code == 403

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from chat.models import Backend, ChatModel
from tests.fakes.admin_pages import MODELS, text_at, told
from tests.fakes.browser_forms import filled_in
from tests.fakes.staff import staff_client

pytestmark = pytest.mark.django_db


def act(client: Client, action: str, *models: ChatModel, **more: str) -> Any:
    chosen = [str(model.pk) for model in models]
    return client.post(MODELS, {"action": action, ACTION_CHECKBOX_NAME: chosen, **more})


def save_list(client: Client, **typed: Any) -> Any:
    fields = {**filled_in(text_at(client, MODELS), "changelist-form"), "_save": "Save", **typed}
    return client.post(MODELS, {name: value for name, value in fields.items() if value is not None})


def test_the_list_tells_where_a_model_is_and_what_it_can(operator_client: Client, other: ChatModel) -> None:
    ChatModel.objects.create(label="Toy", backend=Backend.OFFLINE, can_use_tools=False)
    ChatModel.objects.filter(pk=other.pk).update(can_think=True, model_id="<i>m</i>")
    text = text_at(operator_client, MODELS)
    for part in ("other:8080", "&lt;i&gt;m&lt;/i&gt;", "tools, thinking", "text only", "built in", ">default<"):
        assert part in text


def test_the_list_asks_the_same_number_of_queries_for_many_models(
    operator_client: Client, other: ChatModel, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        ChatModel.objects.create(label=f"Model {number}", model_id="m")
    with django_assert_max_num_queries(8):
        text_at(operator_client, MODELS)


def test_a_line_is_edited_in_the_list_without_losing_what_was_learned(
    operator_client: Client, model: ChatModel, other: ChatModel
) -> None:
    ChatModel.objects.filter(pk=other.pk).update(profile={"tools": False})
    assert save_list(operator_client, **{"form-0-enabled": None, "form-0-sort_order": "5"}).status_code == 302
    stored = ChatModel.objects.get(pk=other.pk)
    assert (stored.enabled, stored.sort_order, stored.profile) == (False, 5, {"tools": False})


def test_the_default_cannot_be_disabled_in_the_list(
    operator_client: Client, model: ChatModel, other: ChatModel
) -> None:
    response = save_list(operator_client, **{"form-1-enabled": None})
    assert "choose another one as the default first" in response.content.decode()
    assert ChatModel.objects.get(pk=model.pk).enabled


def test_an_action_moves_the_default(operator_client: Client, model: ChatModel, other: ChatModel) -> None:
    assert "Other is the default now." in told(act(operator_client, "choose_default", other))
    assert list(ChatModel.objects.filter(is_default=True)) == [other]
    assert "Select exactly one model." in told(act(operator_client, "choose_default", model, other))
    ChatModel.objects.filter(pk=model.pk).update(enabled=False)
    assert "A disabled model cannot be the default." in told(act(operator_client, "choose_default", model))
    assert list(ChatModel.objects.filter(is_default=True)) == [other]


@pytest.mark.parametrize("url", ["action", "page"])
def test_a_deleted_default_is_succeeded(operator_client: Client, model: ChatModel, other: ChatModel, url: str) -> None:
    if url == "action":
        response = act(operator_client, "delete_selected", model, post="yes")
    else:
        response = operator_client.post(f"{MODELS}{model.pk}/delete/", {"post": "yes"})
    assert "There was no default: Other is it now." in told(response)
    assert ChatModel.objects.get().is_default


def test_an_action_needs_its_permission(model: ChatModel, other: ChatModel) -> None:
    act(staff_client("view_chatmodel"), "choose_default", other)
    assert list(ChatModel.objects.filter(is_default=True)) == [model]

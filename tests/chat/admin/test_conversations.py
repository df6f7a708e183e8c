from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.models import ChatModel, Conversation, Event, Message, Turn, TurnState
from tests.fakes.admin_pages import CONVERSATIONS, conversation_url, text_at, told
from tests.fakes.staff import staff_client
from tests.fakes.stored_chat import answer, finished_turn, say

pytestmark = pytest.mark.django_db


def found(client: Client, query: str = "") -> list[Conversation]:
    response = client.get(CONVERSATIONS + query)
    assert response.status_code == 200
    return list(response.context["cl"].result_list)


@pytest.fixture
def many(person: User, model: ChatModel) -> list[uuid.UUID]:
    """The ids of 120 conversations, the last used first."""
    for number in range(120):
        row = Conversation.objects.create(user=person, model=model, title=f"Talk {number}")
        moment = timezone.now() - timedelta(minutes=number // 2)
        Conversation.objects.filter(pk=row.pk).update(updated_at=moment)
    return list(Conversation.objects.order_by("-updated_at", "-pk").values_list("pk", flat=True))


def running(conversation: Conversation) -> Turn:
    return finished_turn(say(conversation, "Go on"), state=TurnState.RUNNING, reason="", finished_at=None)


def test_pages_by_key_lead_to_the_end_and_back(operator_client: Client, many: list[uuid.UUID]) -> None:
    seen: list[uuid.UUID] = []
    query: str | None = ""
    newer = ""
    while query is not None:
        cl = operator_client.get(CONVERSATIONS + query).context["cl"]
        seen += [row.pk for row in cl.result_list]
        newer, query = cl.newer_query, cl.older_query
    assert seen == many
    assert [row.pk for row in found(operator_client, newer)] == many[50:100]


def test_a_page_counts_up_to_a_bound_and_asks_few_queries(operator_client: Client, many: list[uuid.UUID]) -> None:
    with CaptureQueriesContext(connection) as queries:
        text = text_at(operator_client, CONVERSATIONS)
    assert "120 in all" in text
    assert len(queries) <= 7
    counts = [query["sql"] for query in queries if "COUNT(*)" in query["sql"] and "chat_conversation" in query["sql"]]
    assert counts
    assert all("LIMIT 10001" in sql for sql in counts)
    assert not any(" OFFSET " in query["sql"] for query in queries)


def test_a_search_finds_titles_people_and_ids(operator_client: Client, conversation: Conversation) -> None:
    stranger = User.objects.create_user("hubble")
    other = Conversation.objects.create(user=stranger, title="<b>Redshift</b>")
    turn = finished_turn(say(other, "Hello"))
    for query, expected in (
        ("rotation", [conversation]),
        ("HUBBLE", [other]),
        (str(conversation.pk), [conversation]),
        (turn.pk.hex, [other]),
        (str(uuid.uuid4()), []),
        ("nothing", []),
    ):
        assert found(operator_client, f"?q={query}") == expected
    assert "&lt;b&gt;Redshift&lt;/b&gt;" in text_at(operator_client, CONVERSATIONS)


def test_models_filter_the_list_and_pages_keep_filter_and_search(
    operator_client: Client, many: list[uuid.UUID], model: ChatModel
) -> None:
    Conversation.objects.filter(pk=many[0]).update(model=None)
    query = f"?model__id__exact={model.pk}&q=talk"
    cl = operator_client.get(CONVERSATIONS + query).context["cl"]
    assert many[0] not in {row.pk for row in cl.result_list}
    assert f"model__id__exact={model.pk}" in cl.older_query
    assert "q=talk" in cl.older_query


@pytest.mark.parametrize("query", ["?after=x", "?before=~", "?after=2026-01-01~1"])
def test_an_odd_position_is_the_beginning(operator_client: Client, many: list[uuid.UUID], query: str) -> None:
    assert found(operator_client, query)[0].pk == many[0]


def test_nothing_is_added_or_changed(operator_client: Client, conversation: Conversation) -> None:
    assert operator_client.get(f"{CONVERSATIONS}add/").status_code == 403
    assert operator_client.post(conversation_url(conversation), {"title": "Other"}).status_code == 403
    assert Conversation.objects.get().title == "Rotation curves"


@pytest.mark.parametrize("page", ["change", "turns", "journal"])
def test_reading_needs_its_permission(conversation: Conversation, page: str) -> None:
    url = conversation_url(conversation, page)
    assert staff_client("view_chatmodel").get(url).status_code == 403
    assert staff_client("view_conversation").get(url).status_code == 200
    assert Client().get(url).status_code == 302


def test_deleting_tells_how_much_goes_along_and_takes_it(operator_client: Client, conversation: Conversation) -> None:
    answer(say(conversation, "Hello"), "Hello!")
    Event.objects.create(conversation=conversation, seq=1, type="t")
    url = conversation_url(conversation, "delete")
    text = text_at(operator_client, url)
    for part in ("Messages: 2", "Turns: 1", "Events: 1", "Requests to people: 0"):
        assert part.lower() in text.lower()
    assert operator_client.post(url, {"post": "yes"}).status_code == 302
    assert not any(model.objects.exists() for model in (Conversation, Message, Turn, Event))


def test_deleting_needs_its_permission(conversation: Conversation) -> None:
    onlooker = staff_client("view_conversation")
    assert onlooker.post(conversation_url(conversation, "delete"), {"post": "yes"}).status_code == 403
    remover = staff_client("view_conversation", "delete_conversation")
    assert remover.post(conversation_url(conversation, "delete"), {"post": "yes"}).status_code == 302
    assert not Conversation.objects.exists()


def test_a_conversation_is_not_deleted_while_an_answer_is_written(
    operator_client: Client, conversation: Conversation
) -> None:
    running(conversation)
    url = conversation_url(conversation, "delete")
    assert "wait for its end" in text_at(operator_client, url)
    operator_client.post(url, {"post": "yes"})
    chosen = {"action": "delete_selected", ACTION_CHECKBOX_NAME: [str(conversation.pk)], "post": "yes"}
    operator_client.post(CONVERSATIONS, chosen)
    assert Conversation.objects.exists()


def test_an_answer_that_begins_meanwhile_is_not_cut_off(
    operator_client: Client, conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chat.admin import conversation_admin

    def none_yet(_found: object) -> list[str]:
        running(conversation)
        return []

    monkeypatch.setattr(conversation_admin, "_running", none_yet)
    response: Any = operator_client.post(conversation_url(conversation, "delete"), {"post": "yes"})
    assert response.url == conversation_url(conversation)
    assert "An answer is being written." in told(response)[0]
    assert Conversation.objects.exists()


def test_several_are_deleted_at_once(operator_client: Client, many: list[uuid.UUID]) -> None:
    chosen = {"action": "delete_selected", ACTION_CHECKBOX_NAME: [str(pk) for pk in many[:3]], "post": "yes"}
    operator_client.post(CONVERSATIONS, chosen)
    assert Conversation.objects.count() == 117


def test_a_person_can_be_deleted_with_all_that_was_said(
    operator_client: Client, conversation: Conversation, person: User
) -> None:
    answer(say(conversation, "Hello"), "Hello!")
    assert operator_client.post(f"/admin/auth/user/{person.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Conversation.objects.exists()

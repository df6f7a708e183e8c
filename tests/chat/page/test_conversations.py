"""The list of conversations, and what a person does with one."""

from __future__ import annotations

import uuid

import pytest
from django.contrib.auth.models import User
from django.test import Client

from agent_tools.workspace.models import KeptOutput
from chat.models import ChatModel, Conversation, Event, Message, Turn, TurnState
from chat.services.conversations import BusyError, delete_conversation
from tests.fakes.stored_chat import answer, call, finished_turn, say, submit, text_of


def test_the_front_door_leads_to_the_chat_and_the_chat_to_the_sign_in_page(person: User) -> None:
    client = Client()
    assert client.get("/")["Location"] == "/chat/"
    assert client.get("/chat/")["Location"] == "/login/?next=/chat/"
    assert "Sign in" in text_of(client.get("/login/"))
    answer_ = client.post("/login/", {"username": "person", "password": "person-password", "next": "/chat/"})
    assert answer_["Location"] == "/chat/"


def test_a_wrong_password_is_told_on_the_sign_in_page(person: User) -> None:
    page = text_of(Client().post("/login/", {"username": "person", "password": "wrong"}))
    assert 'role="alert"' in page


def test_a_conversation_begins_with_the_switches_of_the_form(client: Client, model: ChatModel, person: User) -> None:
    response = submit(client, "/chat/new/", model=str(model.pk), tools="on")
    begun = Conversation.objects.get(user=person)
    assert response["Location"] == f"/chat/{begun.pk}/"
    assert (begun.model, begun.tools_on, begun.thinking_on) == (model, True, False)


def test_a_conversation_begins_with_an_unknown_model_too(client: Client, person: User) -> None:
    submit(client, "/chat/new/", model=str(uuid.uuid4()))
    assert Conversation.objects.get(user=person).model is None


def test_nothing_is_written_without_the_csrf_token(client: Client, conversation: Conversation) -> None:
    for path in ("new/", f"{conversation.pk}/rename/", f"{conversation.pk}/delete/", f"{conversation.pk}/branch/"):
        assert client.post(f"/chat/{path}", {"title": "x", "message": "1"}).status_code == 403
    conversation.refresh_from_db()
    assert conversation.title == "Rotation curves"


def test_nothing_is_written_by_a_get(client: Client, conversation: Conversation) -> None:
    for path in ("new/", f"{conversation.pk}/rename/", f"{conversation.pk}/delete/", f"{conversation.pk}/branch/"):
        assert client.get(f"/chat/{path}").status_code == 405


@pytest.mark.parametrize(
    "part", ["", "transcript/", "manage/", f"calls/{uuid.UUID(int=1)}/", f"calls/{uuid.UUID(int=1)}/output/"]
)
def test_the_conversation_of_another_person_does_not_exist(part: str, conversation: Conversation) -> None:
    stranger = Client()
    stranger.force_login(User.objects.create_superuser("stranger", password="x"))
    assert stranger.get(f"/chat/{conversation.pk}/{part}").status_code == 404


def test_another_person_can_neither_rename_nor_delete_nor_switch(conversation: Conversation) -> None:
    stranger = Client()
    stranger.force_login(User.objects.create_user("stranger"))
    for part, fields in (("rename/", {"title": "mine"}), ("delete/", {}), ("branch/", {"message": "1"})):
        assert submit(stranger, f"/chat/{conversation.pk}/{part}", **fields).status_code == 404
    assert Conversation.objects.get().title == "Rotation curves"


def test_a_conversation_is_renamed_and_an_empty_title_refused(client: Client, conversation: Conversation) -> None:
    submit(client, f"/chat/{conversation.pk}/rename/", title="  Bars  ")
    assert Conversation.objects.get().title == "Bars"
    refused = submit(client, f"/chat/{conversation.pk}/rename/", title=" ")
    assert refused.status_code == 400
    assert 'role="alert"' in text_of(refused)


def test_the_list_finds_titles_and_what_was_said_but_not_what_tools_gave(
    client: Client, conversation: Conversation, person: User
) -> None:
    other = Conversation.objects.create(user=person, title="Other")
    answer(say(other, "How bright is Vega?"), "It defines the zero point.")
    Message.objects.create(conversation=other, role="tool", content="secret-of-the-tool")
    found = {
        query: ("Rotation curves" in page, "Other" in page)
        for query in ("rotation", "vega", "ZERO POINT", "secret-of-the-tool", "%")
        for page in [text_of(client.get("/chat/list/", {"q": query}))]
    }
    assert found == {
        "rotation": (True, False),
        "vega": (False, True),
        "ZERO POINT": (False, True),
        "secret-of-the-tool": (False, False),
        "%": (False, False),
    }


def test_a_long_list_is_shown_in_parts_of_which_the_next_is_a_link(client: Client, person: User) -> None:
    Conversation.objects.bulk_create(Conversation(user=person, title=f"No. {number}") for number in range(45))
    page = text_of(client.get("/chat/"))
    assert page.count("list-item") == 40
    assert "?size=80" in page
    assert text_of(client.get("/chat/", {"size": "80"})).count("list-item") == 45
    assert client.get("/chat/", {"size": "-3", "current": "no", "q": "x" * 900}).status_code == 200


def test_hostile_titles_and_names_are_text(client: Client, conversation: Conversation, person: User) -> None:
    person.username = "<b>person</b>"
    person.save()
    conversation.title = "</a><script>alert(1)</script>"
    conversation.save()
    for path in ("", f"{conversation.pk}/", f"{conversation.pk}/manage/", "?q=<script>alert(2)</script>"):
        page = text_of(client.get(f"/chat/{path}"))
        assert "<script>alert" not in page
        assert "<b>person" not in page


def test_deleting_removes_messages_and_journal_and_leaves_the_tools_records(
    client: Client, conversation: Conversation
) -> None:
    last = answer(say(conversation, "Hello"), "Hi", calls=[call(conversation, "fetch", {"url": "https://x.org"})])
    for number in range(300):
        last = say(conversation, f"{number}", last)
    Event.objects.create(conversation=conversation, seq=1, type="turn_started")
    KeptOutput.objects.create(
        call_id=uuid.uuid4(), session_id=conversation.pk, tool_slug="fetch", content="x", length=1
    )
    response = submit(client, f"/chat/{conversation.pk}/delete/")
    assert response["Location"] == "/chat/"
    assert [rows.objects.count() for rows in (Conversation, Message, Turn, Event)] == [0, 0, 0, 0]
    assert KeptOutput.objects.count() == 1
    assert "was deleted" in text_of(client.get("/chat/"))


def test_a_conversation_whose_turn_runs_is_not_deleted(client: Client, conversation: Conversation) -> None:
    finished_turn(say(conversation, "Hello"), state=TurnState.RUNNING)
    with pytest.raises(BusyError):
        delete_conversation(conversation)
    submit(client, f"/chat/{conversation.pk}/delete/")
    assert "Stop it first" in text_of(client.get(f"/chat/{conversation.pk}/"))

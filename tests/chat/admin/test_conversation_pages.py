from __future__ import annotations

import uuid
from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from agent_tools.models import AgentToolLog
from chat.models import ChatModel, Conversation, Event, Message, Role, Step, Turn, TurnKind, TurnState
from chat.selectors import records
from tests.fakes.admin_pages import conversation_url, text_at
from tests.fakes.staff import staff_client
from tests.fakes.stored_chat import answer, call, finished_turn, say, waiting

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert('x')</script>"


def message_url(message: Message) -> str:
    return f"/admin/chat/conversation/{message.conversation_id}/messages/{message.pk}/"


def events(conversation: Conversation, count: int, turn: uuid.UUID | None = None) -> None:
    first = Event.objects.filter(conversation=conversation).count() + 1
    Event.objects.bulk_create(
        Event(conversation=conversation, seq=seq, type="text_delta", data={"text": HOSTILE}, turn_id=turn)
        for seq in range(first, first + count)
    )


def shown(client: Client, conversation: Conversation, query: str = "") -> list[int]:
    entries = client.get(conversation_url(conversation) + query).context["entries"]
    return [entry["message"].pk for entry in entries]


def test_messages_of_all_branches_are_there_as_text(operator_client: Client, conversation: Conversation) -> None:
    first = say(conversation, HOSTILE)
    end = answer(first, "One answer")
    Message.objects.filter(pk=end.pk).update(thinking=HOSTILE, notice=HOSTILE)
    say(conversation, "This way", end)
    say(conversation, "That way", end)
    text = text_at(operator_client, conversation_url(conversation))
    assert shown(operator_client, conversation) == list(Message.objects.values_list("pk", flat=True))
    assert HOSTILE not in text
    assert text.count("&lt;script&gt;") >= 3
    assert text.count("branch 1 of 2") == text.count("branch 2 of 2") == 1
    assert text.count("not on view") == 1


def test_calls_lead_to_their_rows_and_show_what_the_row_has_masked(
    operator_client: Client, conversation: Conversation
) -> None:
    done = call(conversation, "fetch", {"url": "https://x/", "token": "[removed]"})
    done["arguments"] = '{"url": "https://x/", "token": "secret-token"}'
    lost = {"id": str(uuid.uuid4()), "provider_id": "", "name": "lost", "arguments": '{"a": 1}'}
    odd = {"id": "none", "name": "", "arguments": {}}
    end = answer(say(conversation, "Fetch it"), "", calls=[done, lost, odd])
    Message.objects.create(
        conversation=conversation, turn=end.turn, parent=end, role=Role.TOOL, call_id=done["id"], content="page"
    )
    row = AgentToolLog.objects.get()
    text = text_at(operator_client, conversation_url(conversation))
    assert text.count(f"/admin/agent_tools/agenttoollog/{row.pk}/change/") == 2
    assert "[removed]" in text
    assert "secret-token" not in text
    assert text.count("no log row") == 2
    assert "answers call" in text
    without = text_at(staff_client("view_conversation"), conversation_url(conversation))
    assert "agenttoollog" not in without


def test_long_texts_are_cut_and_shown_whole_on_their_own_page(
    operator_client: Client, conversation: Conversation
) -> None:
    message = say(conversation, "a" * records.SHOWN + "the end")
    Message.objects.filter(pk=message.pk).update(extra={"signature": HOSTILE}, origin="http://x/v1#m")
    assert "the end" not in text_at(operator_client, conversation_url(conversation))
    assert f"The first {records.SHOWN} of {records.SHOWN + 7} characters." in text_at(
        operator_client, conversation_url(conversation)
    )
    text = text_at(operator_client, message_url(message))
    assert "the end" in text
    assert "signature" in text
    assert HOSTILE not in text


def test_messages_of_others_and_none_are_not_found(operator_client: Client, conversation: Conversation) -> None:
    message = say(conversation, "Hello")
    other = Conversation.objects.create(user=conversation.user)
    base = "/admin/chat/conversation"
    assert operator_client.get(f"{base}/{other.pk}/messages/{message.pk}/").status_code == 404
    for page in ("turns", "journal", "messages/1"):
        assert operator_client.get(f"{base}/{uuid.uuid4()}/{page}/").status_code == 404
    assert operator_client.get(f"{base}/nonsense/change/").status_code == 302


def test_messages_are_paged_by_key(operator_client: Client, conversation: Conversation) -> None:
    ids = [say(conversation, f"No {number}").pk for number in range(120)]
    links = operator_client.get(conversation_url(conversation)).context["links"]
    assert (links.first, links.previous) == (None, None)
    assert shown(operator_client, conversation) == ids[:50]
    assert shown(operator_client, conversation, links.following) == ids[50:100]
    assert shown(operator_client, conversation, links.last) == ids[70:]
    middle = operator_client.get(conversation_url(conversation) + links.following).context["links"]
    assert shown(operator_client, conversation, middle.previous) == ids[:50]
    assert shown(operator_client, conversation, middle.first) == ids[:50]


def test_a_message_that_waits_for_its_turn_is_no_branch(operator_client: Client, conversation: Conversation) -> None:
    finished_turn(say(conversation, "First"))
    waiting(conversation, "Second")
    text = text_at(operator_client, conversation_url(conversation))
    assert "waits for its turn" in text
    assert "branch" not in text


def test_a_long_conversation_asks_no_more_queries(
    operator_client: Client, conversation: Conversation, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        answer(say(conversation, f"No {number}"), "Yes", calls=[call(conversation, "fetch", {})])
    for page, most in (("change", 14), ("turns", 8), ("journal", 6)):
        with django_assert_max_num_queries(most):
            text_at(operator_client, conversation_url(conversation, page))


def test_what_was_used_is_summed(operator_client: Client, conversation: Conversation) -> None:
    answer(say(conversation, "Hello"), "One", "Two")
    Step.objects.filter(number=2).update(cost=Decimal("0.0042"), cached_tokens=3, estimated=True)
    text = text_at(operator_client, conversation_url(conversation))
    for part in ("20 tokens read, 10 written", "3 of the read ones from a cache", "cost 0.0042", "estimated in part"):
        assert part in text


def test_turns_tell_how_they_ended_and_what_their_steps_used(
    operator_client: Client, conversation: Conversation, model: ChatModel
) -> None:
    answer(say(conversation, "Hello"), "One")
    Step.objects.update(finish_reason="stop", cost=Decimal("0.001"), finished_at=timezone.now() + timedelta(seconds=90))
    failed = finished_turn(say(conversation, "Again"), reason="failed", error_code="provider_quota", kind=TurnKind.EDIT)
    Turn.objects.filter(pk=failed.pk).update(error_message=HOSTILE, epoch=3)
    lease = timezone.now() + timedelta(seconds=30)
    finished_turn(say(conversation, "Go"), state=TurnState.RUNNING, reason="", runner="host:1", lease_until=lease)
    ChatModel.objects.filter(pk=model.pk).delete()
    text = text_at(operator_client, conversation_url(conversation, "turns"))
    for part in ("completed", "failed", "running", "provider_quota", "stop", "0.001", "1 min 30 s", "host:1"):
        assert part in text
    assert "2 times" in text
    assert "deleted since" in text
    assert HOSTILE not in text


def test_turns_are_paged(operator_client: Client, conversation: Conversation) -> None:
    for number in range(30):
        finished_turn(say(conversation, f"No {number}"))
    url = conversation_url(conversation, "turns")
    first = operator_client.get(url).context
    second = operator_client.get(url + first["links"].following).context
    seen = [each["turn"].pk for context in (first, second) for each in context["turns"]]
    assert seen == list(Turn.objects.order_by("created_at", "pk").values_list("pk", flat=True))


def test_the_journal_is_paged_by_its_numbers(operator_client: Client, conversation: Conversation) -> None:
    events(conversation, 250)
    url = conversation_url(conversation, "journal")

    def numbers(query: str) -> list[int]:
        return [line["event"].seq for line in operator_client.get(url + query).context["events"]]

    links = operator_client.get(url).context["links"]
    assert numbers("") == list(range(1, 101))
    assert numbers(links.following) == list(range(101, 201))
    assert numbers(links.last) == list(range(151, 251))
    assert numbers("?after=240") == list(range(241, 251))
    assert numbers("?after=x&before=y") == list(range(1, 101))


def test_the_journal_of_one_turn_stays_with_it_from_page_to_page(
    operator_client: Client, conversation: Conversation
) -> None:
    turn = finished_turn(say(conversation, "Hello"))
    events(conversation, 5)
    events(conversation, 120, turn.pk)
    url = conversation_url(conversation, "journal")
    page = operator_client.get(f"{url}?turn={turn.pk}")
    assert [line["event"].seq for line in page.context["events"]] == list(range(6, 106))
    following = page.context["links"].following
    assert f"turn={turn.pk}" in following
    assert operator_client.get(url + following).context["events"][0]["event"].seq == 106
    assert HOSTILE not in page.content.decode()
    assert len(operator_client.get(f"{url}?turn=nonsense").context["events"]) == 100


def test_the_journal_says_what_was_folded(operator_client: Client, conversation: Conversation) -> None:
    Conversation.objects.update(folded_upto=40)
    Event.objects.create(conversation=conversation, seq=41, type="usage", data={"text": "x" * 5_000})
    text = text_at(operator_client, conversation_url(conversation, "journal"))
    assert "up to number 40 are folded away" in text
    assert "x" * 5_000 in text

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from agent_tools.models import AgentToolLog
from chat.models import Conversation, Event, Request, RequestKind, RequestState, TurnState
from tests.fakes.admin_pages import REQUESTS, request_url, text_at, told
from tests.fakes.browser_forms import filled_in
from tests.fakes.staff import staff_client
from tests.fakes.stored_chat import finished_turn, say

pytestmark = pytest.mark.django_db
HASH = "a" * 64
HOSTILE = "<script>alert('x')</script>"


def put(conversation: Conversation, kind: str = RequestKind.PERMISSION, *, left: float = 300, **fields: Any) -> Request:
    """Store a request of a running turn that waits for so many seconds."""
    turn = conversation.turns.filter(state=TurnState.RUNNING).first() or finished_turn(
        say(conversation, "Do it"), state=TurnState.RUNNING, reason="", finished_at=None
    )
    permission = {"name": "delete_file", "arguments": {"path": HOSTILE}, "reasons": [f"Deletes {HOSTILE}."]}
    question = {"text": f"Which? {HOSTILE}", "choices": ["one", HOSTILE], "multiple": False}
    given = {
        "call_id": uuid.uuid4(),
        "payload": permission if kind == RequestKind.PERMISSION else question,
        "arguments_hash": HASH if kind == RequestKind.PERMISSION else "",
        "deadline": timezone.now() + timedelta(seconds=left),
    }
    return Request.objects.create(conversation=conversation, turn=turn, kind=kind, **{**given, **fields})


def decide(client: Client, asked: Request, decision: str, **typed: str) -> Any:
    """Press one of the buttons of a request's page."""
    form = filled_in(text_at(client, request_url(asked)), "decide-form")
    return client.post(request_url(asked, "decide"), {**form, "decision": decision, **typed})


def found(client: Client, query: str = "") -> list[Request]:
    return list(client.get(REQUESTS + query).context["cl"].result_list)


def test_requests_are_filtered_by_state_and_kind(operator_client: Client, conversation: Conversation) -> None:
    pending = put(conversation)
    question = put(conversation, RequestKind.QUESTION)
    done = put(conversation, state=RequestState.ANSWERED, answer={"decision": "deny"})
    assert found(operator_client) == [done, question, pending]
    assert found(operator_client, "?state=pending") == [question, pending]
    assert found(operator_client, "?state=pending&kind=question") == [question]
    assert found(operator_client, "?state=nonsense") == []
    text = text_at(operator_client, REQUESTS)
    assert HOSTILE not in text
    assert "delete_file" in text
    assert "Rotation curves" in text


def test_the_list_is_paged_by_key_and_asks_few_queries(operator_client: Client, conversation: Conversation) -> None:
    expected = [put(conversation) for _ in range(70)][::-1]
    with CaptureQueriesContext(connection) as queries:
        cl = operator_client.get(REQUESTS).context["cl"]
    assert len(queries) <= 6
    assert [*cl.result_list, *found(operator_client, cl.older_query)] == expected


def test_a_page_tells_what_is_asked_and_leads_to_where_it_comes_from(
    operator_client: Client, conversation: Conversation
) -> None:
    asked = put(conversation)
    row = AgentToolLog.objects.create(
        call_id=asked.call_id, session_id=conversation.pk, tool_slug="delete_file", door="chat", status="running"
    )
    text = text_at(operator_client, request_url(asked))
    for part in (
        "delete_file",
        "&lt;script&gt;",
        f"/agenttoollog/{row.pk}/change/",
        f"/conversation/{conversation.pk}/",
    ):
        assert part in text
    assert HOSTILE not in text
    question = text_at(operator_client, request_url(put(conversation, RequestKind.QUESTION)))
    assert HOSTILE not in question
    assert "Only the person can answer a question." in question
    assert "decide-form" not in question


def test_allowing_settles_the_request_tells_the_page_and_is_recorded(
    operator_client: Client, operator: User, conversation: Conversation
) -> None:
    asked = put(conversation)
    response = decide(operator_client, asked, "allow_once", reason="ignored")
    assert response.url == request_url(asked)
    assert told(response) == ["Allowed, this once. The turn goes on."]
    asked.refresh_from_db()
    assert (asked.state, asked.answered_by) == (RequestState.ANSWERED, operator)
    assert asked.answer == {"decision": "allow_once", "reason": ""}
    event = Event.objects.get(type="resolved")
    assert (event.data["id"], event.data["decision"]) == (str(asked.pk), "allow_once")
    text = text_at(operator_client, request_url(asked))
    assert "allowed once" in text
    assert "decide-form" not in text
    history = text_at(operator_client, f"/admin/chat/request/{asked.pk}/history/")
    assert "Allowed once in the person’s place." in history


def test_a_denial_carries_its_reason(operator_client: Client, conversation: Conversation) -> None:
    asked = put(conversation)
    assert told(decide(operator_client, asked, "deny", reason=HOSTILE)) == ["Denied. The model is told so."]
    asked.refresh_from_db()
    assert asked.answer == {"decision": "deny", "reason": HOSTILE}
    assert HOSTILE not in text_at(operator_client, request_url(asked))


def test_the_first_answer_counts(operator_client: Client, conversation: Conversation, person: User) -> None:
    asked = put(conversation)
    form = filled_in(text_at(operator_client, request_url(asked)), "decide-form")
    said = {"decision": "deny", "reason": "mine"}
    Request.objects.update(state=RequestState.ANSWERED, answer=said, answered_by=person)
    response = operator_client.post(request_url(asked, "decide"), {**form, "decision": "allow_once"})
    assert "This was answered meanwhile" in told(response)[0]
    asked.refresh_from_db()
    assert (asked.answer, asked.answered_by) == (said, person)
    assert "mine" in text_at(operator_client, request_url(asked))
    assert not Event.objects.filter(type="resolved").exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"state": RequestState.CANCELLED}, "not asked any more"),
        ({"state": RequestState.EXPIRED}, "not asked any more"),
        ({"deadline": timezone.now() - timedelta(seconds=1)}, "not asked any more"),
        ({"arguments_hash": "b" * 64}, "not those that were shown"),
        ({"kind": RequestKind.QUESTION}, "no permission that could be decided"),
    ],
    ids=["cancelled", "expired", "late", "other-arguments", "a-question"],
)
def test_what_changed_meanwhile_is_said_and_nothing_is_decided(
    operator_client: Client, conversation: Conversation, change: dict[str, Any], words: str
) -> None:
    asked = put(conversation)
    form = filled_in(text_at(operator_client, request_url(asked)), "decide-form")
    Request.objects.update(**change)
    response = operator_client.post(request_url(asked, "decide"), {**form, "decision": "allow_once"})
    assert words in told(response)[0]
    assert Request.objects.get().answer == {}


@pytest.mark.parametrize(
    "sent",
    [
        {"decision": "allow_always"},
        {"decision": ""},
        {"decision": "deny", "arguments_hash": "x"},
        {"decision": "deny", "reason": "x" * 2_001},
        {"decision": "deny", "reason": "a\x00b"},
    ],
    ids=["always", "none", "hash", "long", "nul"],
)
def test_what_is_no_decision_decides_nothing(
    operator_client: Client, conversation: Conversation, sent: dict[str, str]
) -> None:
    asked = put(conversation)
    response = operator_client.post(request_url(asked, "decide"), {"arguments_hash": HASH, **sent})
    assert "Nothing was decided:" in told(response)[0]
    assert Request.objects.get().state == RequestState.PENDING


def test_deciding_needs_its_token_and_the_permission_to_change(conversation: Conversation) -> None:
    asked = put(conversation)
    sent = {"arguments_hash": HASH, "decision": "allow_once"}
    onlooker = staff_client("view_request")
    assert "decide-form" not in text_at(onlooker, request_url(asked))
    assert onlooker.post(request_url(asked, "decide"), sent).status_code == 403
    decider = staff_client("change_request")
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = decider.cookies
    assert strict.post(request_url(asked, "decide"), sent).status_code == 403
    assert decider.get(request_url(asked, "decide")).status_code == 405
    assert Request.objects.get().state == RequestState.PENDING
    assert told(decide(decider, asked, "deny")) == ["Denied. The model is told so."]


def test_nothing_else_of_a_request_can_be_changed(conversation: Conversation) -> None:
    asked = put(conversation)
    assert staff_client("change_request").post(request_url(asked), {"state": "answered"}).status_code == 403


def test_a_request_whose_time_is_over_says_so(operator_client: Client, conversation: Conversation) -> None:
    asked = put(conversation, left=-5)
    text = text_at(operator_client, request_url(asked))
    assert "The time for this is over." in text
    assert "decide-form" not in text
    assert "out of time" in text_at(operator_client, REQUESTS)


def test_a_request_that_is_not_there_is_not_found(operator_client: Client, db: None) -> None:
    assert operator_client.post(f"{REQUESTS}{uuid.uuid4()}/decide/").status_code == 404
    assert operator_client.get(f"{REQUESTS}nonsense/change/").status_code == 302


def test_answers_to_questions_are_shown(operator_client: Client, conversation: Conversation) -> None:
    said = {"text": "neither", "chosen": ["one"]}
    asked = put(conversation, RequestKind.QUESTION, state=RequestState.ANSWERED, answer=said)
    text = text_at(operator_client, request_url(asked))
    assert "<bdi>one</bdi> – <bdi>neither</bdi>" in text

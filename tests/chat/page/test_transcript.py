"""The stored part of a conversation as the page shows it."""

from __future__ import annotations

import re
import uuid
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from agent_tools.workspace.models import KeptOutput
from chat.models import Conversation, Event, Request, TurnState
from chat.selectors.transcript import transcript
from tests.fakes.stored_chat import answer, call, finished_turn, say, text_of, waiting


def page_of(client: Client, conversation: Conversation, part: str = "") -> str:
    response = client.get(f"/chat/{conversation.pk}/{part}")
    assert response.status_code == 200
    return text_of(response)


def fragment_of(client: Client, conversation: Conversation) -> str:
    return re.sub(r"\s+", " ", page_of(client, conversation, "transcript/"))


def test_messages_thinking_answers_and_cards_stand_in_their_order(client: Client, conversation: Conversation) -> None:
    asked = call(conversation, "fetch", {"url": "https://x.org/"}, content="The page.")
    end = answer(say(conversation, "Read x.org"), "I look.", "It says **hello**.", calls=[asked])
    end.thinking = "Nearly done."
    end.save()
    page = fragment_of(client, conversation)
    places = [
        page.index(words)
        for words in (
            "Read x.org",
            "I look.",
            ">fetch<",
            "https://x.org/",
            "done",
            "1.5 s",
            "The page.",
            "Nearly done.",
        )
    ]
    assert places == sorted(places)
    assert "<strong>hello</strong>" in page


def test_neighbouring_steps_share_a_group_that_counts_the_failed_and_stays_open(
    client: Client, conversation: Conversation
) -> None:
    good = call(conversation, "fetch", {"url": "https://x.org/"})
    bad = call(conversation, "fetch", {"url": "https://y.org/"}, status="timeout")
    answer(say(conversation, "Read both"), "", "Done.", calls=[good, bad])
    page = fragment_of(client, conversation)
    assert "2 tools" in page
    assert "1 failed" in page
    assert '<details class="tools" open>' in page
    assert "timed out" in page
    cards = re.findall(r'<details class="card"[^>]*>', page)
    assert [" open" in card for card in cards] == [False, True]


def test_what_was_said_by_anybody_is_never_markup(client: Client, conversation: Conversation) -> None:
    hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    asked = call(conversation, "fetch", {hostile: hostile}, status="error", content=hostile)
    end = answer(say(conversation, hostile), hostile, error_message=hostile, reason="failed", calls=[asked])
    end.thinking = hostile
    end.save()
    for part in ("", "transcript/", f"calls/{asked['id']}/"):
        page = page_of(client, conversation, part)
        assert "<script>alert" not in page
        assert "<img src=x" not in page


def test_hidden_characters_in_arguments_are_shown_as_their_codes(client: Client, conversation: Conversation) -> None:
    asked = call(conversation, "fetch", {"url": "https://exa\u200bmple.org/\u202egnp.exe"})
    answer(say(conversation, "Read"), "Done", calls=[asked])
    page = fragment_of(client, conversation)
    assert '<span class="hidden-character">U+200B</span>mple.org' in page
    assert "U+202E" in page


def test_a_cut_output_ends_in_dots_and_its_whole_is_one_link_away(client: Client, conversation: Conversation) -> None:
    asked = call(conversation, "fetch", {}, content="stub")
    KeptOutput.objects.create(
        call_id=asked["id"], session_id=conversation.pk, tool_slug="fetch", content="x" * 9_000, length=9_000
    )
    answer(say(conversation, "Read"), "Done", calls=[asked])
    assert "stub…" in fragment_of(client, conversation)
    output = client.get(f"/chat/{conversation.pk}/calls/{asked['id']}/output/")
    assert output["Content-Type"] == "text/plain; charset=utf-8"
    assert len(output.content) == 9_000
    assert "x" * 9_000 in page_of(client, conversation, f"calls/{asked['id']}/")


def test_a_call_of_another_session_is_not_shown(client: Client, conversation: Conversation, person: User) -> None:
    other = Conversation.objects.create(user=person)
    asked = call(other, "fetch", {})
    assert client.get(f"/chat/{conversation.pk}/calls/{asked['id']}/").status_code == 404
    assert client.get(f"/chat/{conversation.pk}/calls/{asked['id']}/output/").status_code == 404


def test_failures_limits_and_stops_are_told_in_words(client: Client, conversation: Conversation) -> None:
    last = None
    for reason in ("failed", "stopped", "step_limit", "timeout"):
        message = say(conversation, f"Try {reason}", last)
        last = answer(
            message, "A part.", reason=reason, error_message="The server is away." if reason == "failed" else ""
        )
    page = fragment_of(client, conversation)
    for words in ("The server is away.", "Stopped.", "limit of steps", "took too long"):
        assert words in page
    assert page.count("Retry</button>") == 2


def test_a_turn_that_failed_before_its_first_word_is_shown_under_its_message(
    client: Client, conversation: Conversation
) -> None:
    finished_turn(say(conversation, "Hello"), reason="failed", error_message="No key is set.")
    assert "No key is set." in fragment_of(client, conversation)


def test_what_the_person_decided_is_told_in_the_card(client: Client, conversation: Conversation) -> None:
    asked = call(conversation, "fetch", {}, status="denied")
    end = answer(say(conversation, "Read"), "Not allowed, then.", calls=[asked])
    assert end.turn is not None
    Request.objects.create(
        conversation=conversation,
        turn=end.turn,
        call_id=asked["id"],
        kind="permission",
        state="answered",
        answer={"decision": "deny"},
        deadline=end.created_at,
    )
    assert "You denied fetch." in fragment_of(client, conversation)


def test_notices_of_a_turn_stay_but_for_those_of_retries(client: Client, conversation: Conversation) -> None:
    turn = answer(say(conversation, "Read"), "Done.").turn
    assert turn is not None
    for seq, (kind, data) in enumerate(
        [
            ("notification", {"level": "warning", "message": "Half of the budget is used."}),
            ("notification", {"level": "warning", "message": "Again.", "details": {"code": "retrying"}}),
            ("context_compacted", {"level": "auto", "before": 9_000, "after": 2_000}),
        ]
    ):
        Event.objects.create(conversation=conversation, seq=seq, type=kind, turn_id=turn.pk, data=data)
    page = fragment_of(client, conversation)
    assert "Half of the budget" in page
    assert "9000 → 2000" in page
    assert "Again." not in page


def test_the_page_goes_on_live_before_the_running_turn_and_leaves_that_to_the_journal(
    conversation: Conversation,
) -> None:
    end = answer(say(conversation, "First"), "One.")
    message = say(conversation, "Second", end)
    running = finished_turn(message, state=TurnState.RUNNING, first_seq=12)
    conversation.last_seq = 40
    conversation.save()
    shown = transcript(conversation)
    assert shown.seq == 11
    assert [getattr(item, "text", None) for item in shown.items] == ["First", None, "Second"]
    running.state = TurnState.FINISHED
    running.save()
    assert transcript(conversation).seq == 40


def test_waiting_messages_stand_at_the_end_and_can_be_withdrawn(client: Client, conversation: Conversation) -> None:
    end = answer(say(conversation, "First"), "One.")
    finished_turn(say(conversation, "Second", end), state=TurnState.RUNNING, first_seq=1)
    turn = waiting(conversation, "Third")
    page = fragment_of(client, conversation)
    assert page.index("Second") < page.index("Third")
    assert f'data-waiting="{turn.pk}"' in page
    assert "Waiting for its turn" in page
    turn.state = TurnState.FINISHED
    turn.save()
    assert "Third" not in fragment_of(client, conversation)


def test_a_long_conversation_shows_its_end_and_a_link_to_the_rest(client: Client, conversation: Conversation) -> None:
    last = None
    for number in range(33):
        last = answer(say(conversation, f"Question {number}.", last), "Yes.")
    page = page_of(client, conversation)
    assert "Show 3 earlier messages" in page
    assert "Question 2." not in page
    assert "Question 2." in text_of(client.get(f"/chat/{conversation.pk}/?all"))


def test_the_number_of_queries_does_not_grow_with_the_conversation(
    client: Client, conversation: Conversation, django_assert_num_queries: Any
) -> None:
    last = None
    for number in range(12):
        asked = [call(conversation, "fetch", {}) for _ in range(3)]
        last = answer(say(conversation, f"{number}", last), "", "Done.", calls=asked)
    with django_assert_num_queries(18):
        client.get(f"/chat/{conversation.pk}/")


def test_usage_is_summed_over_the_turns_that_are_over(client: Client, conversation: Conversation) -> None:
    last = answer(say(conversation, "First"), "One.", "Two.")
    running = answer(say(conversation, "Second", last), "Three.").turn
    assert running is not None
    running.state, running.first_seq = TurnState.RUNNING, 3
    running.save()
    assert 'data-tokens="30"' in fragment_of(client, conversation)


def test_an_unknown_call_id_is_a_missing_page(client: Client, conversation: Conversation) -> None:
    assert client.get(f"/chat/{conversation.pk}/calls/{uuid.uuid4()}/").status_code == 404

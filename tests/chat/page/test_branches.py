"""Branches of a conversation: wordings and answers between which a person switches."""

from __future__ import annotations

import re

from django.contrib.auth.models import User
from django.test import Client

from chat.models import Conversation, TurnKind, TurnState
from chat.selectors.branches import Node, Siblings, Tree
from chat.selectors.transcript import transcript
from tests.fakes.stored_chat import answer, finished_turn, say, submit, text_of

ROWS = (
    (1, None, "user"),
    (2, 1, "assistant"),
    (3, 2, "tool"),
    (4, 3, "assistant"),
    (5, 4, "user"),
    (6, 1, "assistant"),
    (7, None, "user"),
)
TREE = Tree(Node(number, parent, role, None) for number, parent, role in ROWS)


def page_of(client: Client, conversation: Conversation, part: str = "") -> str:
    response = client.get(f"/chat/{conversation.pk}/{part}")
    assert response.status_code == 200
    return text_of(response)


def fragment_of(client: Client, conversation: Conversation) -> str:
    return re.sub(r"\s+", " ", page_of(client, conversation, "transcript/"))


def test_a_waiting_regeneration_does_not_take_its_message_out_of_the_branch(conversation: Conversation) -> None:
    message = say(conversation, "First")
    answer(message, "One.")
    finished_turn(message, state=TurnState.QUEUED, kind=TurnKind.REGENERATE, started_at=None)
    assert len(transcript(conversation).items) == 2


def test_without_javascript_branches_switch_by_a_plain_form(client: Client, conversation: Conversation) -> None:
    first = say(conversation, "One wording")
    answer(first, "An answer.")
    answer(say(conversation, "Another wording"), "Another answer.")
    page = page_of(client, conversation)
    assert "2/2" in page
    assert "An answer." not in page
    response = submit(client, f"/chat/{conversation.pk}/branch/", message=first.pk)
    assert response["Location"] == f"/chat/{conversation.pk}/#m{first.pk}"
    page = page_of(client, conversation)
    assert "1/2" in page
    assert "An answer." in page


def test_a_branch_is_not_switched_while_a_turn_runs_nor_to_a_foreign_message(
    client: Client, conversation: Conversation, person: User
) -> None:
    first = say(conversation, "One wording")
    answer(first, "An answer.")
    foreign = say(Conversation.objects.create(user=person), "Elsewhere")
    assert submit(client, f"/chat/{conversation.pk}/branch/", message=foreign.pk).status_code == 404
    assert submit(client, f"/chat/{conversation.pk}/branch/", message="x").status_code == 404
    finished_turn(say(conversation, "Another wording"), state=TurnState.RUNNING, first_seq=1)
    submit(client, f"/chat/{conversation.pk}/branch/", message=first.pk)
    page = page_of(client, conversation)
    assert "An answer is being written" in page
    assert "Another wording" in page


def test_answers_to_one_message_are_branches_too(client: Client, conversation: Conversation) -> None:
    message = say(conversation, "Question")
    answer(message, "First answer.")
    answer(message, "Second answer.", kind=TurnKind.REGENERATE)
    assert "2/2" in fragment_of(client, conversation)
    finished_turn(message, reason="failed", error_message="Away.", kind=TurnKind.REGENERATE)
    conversation.leaf = message
    conversation.save()
    page = fragment_of(client, conversation)
    assert "3/3" in page
    assert "Away." in page


def test_a_branch_is_read_from_its_end_and_an_unknown_end_means_the_newest() -> None:
    assert [node.id for node in TREE.path(5)] == [1, 2, 3, 4, 5]
    assert [node.id for node in TREE.path(None)] == [node.id for node in TREE.path(99)] == [7]
    assert Tree([]).path(None) == []


def test_siblings_have_the_same_parent_and_role() -> None:
    assert TREE.siblings(1) == Siblings(1, 2, None, 7)
    assert TREE.siblings(6) == Siblings(2, 2, 2, None)
    assert TREE.siblings(3) == Siblings(1, 1, None, None)


def test_the_newest_branch_through_a_message_ends_in_its_newest_leaf() -> None:
    assert [TREE.newest_leaf(message) for message in (1, 2, 7)] == [6, 5, 7]


def test_a_ring_of_parents_is_no_endless_loop() -> None:
    ring = Tree([Node(1, 2, "user", None), Node(2, 1, "assistant", None)])
    assert len(ring.path(1)) == 2
    assert ring.newest_leaf(1) in {1, 2}

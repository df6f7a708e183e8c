from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given

from chat.llm.history import GO_ON, LEFT_OUT, NO_OUTPUT, UNANSWERED, acceptable
from chat.llm.types import Message, Role
from tests.chat.llm.histories import HISTORIES, ORDINARY
from tests.fakes.llm import assistant, call, result, system, user


def told(messages: Sequence[Message]) -> list[tuple[str, str]]:
    return [(message.role.value, message.content) for message in messages]


def test_an_acceptable_history_comes_back_unchanged() -> None:
    assert acceptable(ORDINARY) == ORDINARY


def test_a_call_that_was_never_answered_gets_an_answer_right_behind_it() -> None:
    history = acceptable([user(), assistant("", call("a"), call("b")), result("b"), user("next")])
    assert [message.call_id for message in history if message.role is Role.TOOL] == ["a", "b"]
    assert history[2].content == UNANSWERED


def test_answers_come_in_the_order_of_their_calls_whatever_came_first() -> None:
    history = acceptable([user(), assistant("", call("a"), call("b")), result("b", "B"), user("x"), result("a", "A")])
    assert told(history)[2:] == [("tool", "A"), ("tool", "B"), ("user", "x")]


def test_an_answer_without_its_call_and_a_second_answer_are_dropped() -> None:
    history = acceptable([user(), result("z"), assistant("", call("a")), result("a", "1"), result("a", "2"), user("x")])
    assert told(history)[2:] == [("tool", "1"), ("user", "x")]


def test_an_answer_before_its_call_is_no_answer() -> None:
    assert UNANSWERED in dict.fromkeys(
        message.content for message in acceptable([user(), result("a"), assistant("", call("a"))])
    )


def test_the_same_id_in_two_rounds_is_told_apart() -> None:
    rounds = [user(), assistant("", call("f:0")), result("f:0", "1"), assistant("", call("f:0")), result("f:0", "2")]
    history = acceptable(rounds)
    answers = [(message.call_id, message.content) for message in history if message.role is Role.TOOL]
    assert [content for _, content in answers] == ["1", "2"]
    assert len({call_id for call_id, _ in answers}) == 2


def test_the_same_id_twice_in_one_message_is_told_apart() -> None:
    history = acceptable([user(), assistant("", call("a"), call("a")), result("a", "1"), result("a", "2")])
    assert told(history)[2:] == [("tool", "1"), ("tool", "2")]
    assert len({one.id for one in history[1].calls}) == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([system("A"), system("B"), user()], [("system", "A\n\nB"), ("user", "Hello")]),
        ([system(" "), user()], [("user", "Hello")]),
        ([user(), system("late"), user("x")], [("user", "Hello\n\nlate\n\nx")]),
        ([user(), assistant("hi"), system("late")], [("user", "Hello"), ("assistant", "hi"), ("user", "late")]),
        (
            [user(), assistant("", call("a")), result("a", "R"), system("reminder")],
            [("user", "Hello"), ("assistant", ""), ("tool", "R\n\nreminder")],
        ),
        ([user("a"), user("b")], [("user", "a\n\nb")]),
        ([user("a"), assistant(" "), user("b")], [("user", "a\n\nb")]),
        (
            [user("a"), assistant("x"), assistant("y"), user()],
            [("user", "a"), ("assistant", "x\n\ny"), ("user", "Hello")],
        ),
        ([assistant("x"), user()], [("user", LEFT_OUT), ("assistant", "x"), ("user", "Hello")]),
        ([user(), assistant("x")], [("user", "Hello"), ("assistant", "x"), ("user", GO_ON)]),
        (
            [user(), assistant("", call("a")), result("a", " \n")],
            [("user", "Hello"), ("assistant", ""), ("tool", NO_OUTPUT)],
        ),
        ([], [("user", LEFT_OUT)]),
        ([system()], [("system", "Be brief."), ("user", LEFT_OUT)]),
    ],
)
def test_roles_and_contents_are_what_strict_providers_want(before: list[Message], after: list[tuple[str, str]]) -> None:
    assert told(acceptable(before)) == after


def test_words_before_calls_join_the_message_with_the_calls() -> None:
    history = acceptable(
        [user(), assistant("First.", thinking="t1"), assistant("Then.", call("a"), thinking="t2"), result("a")]
    )
    assert (history[1].content, history[1].thinking, len(history[1].calls)) == ("First.\n\nThen.", "t2", 1)


@given(HISTORIES)
def test_what_is_acceptable_stays_as_it_is(messages: list[Message]) -> None:
    once = acceptable(messages)
    assert acceptable(once) == once


@given(HISTORIES)
def test_nothing_that_a_person_said_and_no_result_of_a_call_is_lost(messages: list[Message]) -> None:
    words = "\n".join(message.content for message in acceptable(messages))
    assert all(
        message.content in words for message in messages if message.role is Role.USER and message.content.strip()
    )
    calls = [one for message in acceptable(messages) for one in message.calls]
    assert len(calls) == sum(len(message.calls) for message in messages)

"""Makes any history acceptable, so that no cut, crash, cancel or edit can brick a conversation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from chat.llm.types import HistoryCall, Message, Role

UNANSWERED = "This call was not finished: its result is unknown. It may have run."
NO_OUTPUT = "(no output)"
LEFT_OUT = "(Earlier messages were left out.)"
GO_ON = "(Go on.)"
_GAP = "\n\n"


def acceptable(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Return a history that a strict provider accepts; what is acceptable already comes back unchanged.

    One leading system message; after it a person speaks first, and a person or a tool last; every call has exactly one
    answer, right behind its message and in order; no answer without its call; no empty contents; neighbours that
    speak in the same role are joined; ids of calls are unique.
    """
    system, rest = _leading_system(list(messages))
    joined = join_neighbours(_speaking(_notices(_pair(rest))))
    if not joined or joined[0].role is not Role.USER:
        joined.insert(0, Message(role=Role.USER, content=LEFT_OUT))
    if joined[-1].role is Role.ASSISTANT:
        joined.append(Message(role=Role.USER, content=GO_ON))
    return (*system, *joined)


def _leading_system(messages: list[Message]) -> tuple[list[Message], list[Message]]:
    end = next((place for place, one in enumerate(messages) if one.role is not Role.SYSTEM), len(messages))
    leading = [message for message in messages[:end] if message.content.strip()]
    if len(leading) > 1:
        leading = [Message(role=Role.SYSTEM, content=_GAP.join(message.content for message in leading))]
    return leading, messages[end:]


def _notices(messages: Sequence[Message]) -> list[Message]:
    """Turn later system messages into a part of the answer before them, or of what the person says next."""
    told: list[Message] = []
    for message in messages:
        if message.role is not Role.SYSTEM:
            told.append(message)
        elif not message.content.strip():
            continue
        elif told and told[-1].role is Role.TOOL:
            told[-1] = replace(told[-1], content=_GAP.join((told[-1].content, message.content)))
        else:
            told.append(Message(role=Role.USER, content=message.content))
    return told


def _pair(messages: Sequence[Message]) -> list[Message]:
    """Put each call's answer right behind its message; the nearest message before an answer owns it."""
    owners: list[Message] = []
    answers: list[dict[int, Message]] = []
    plain: list[Message | int] = []
    for message in messages:
        if message.role is Role.TOOL:
            _give(message, owners, answers)
        elif message.calls:
            plain.append(len(owners))
            owners.append(message)
            answers.append({})
        else:
            plain.append(message)
    seen: set[str] = set()
    paired: list[Message] = []
    for item in plain:
        if isinstance(item, Message):
            paired.append(item)
        else:
            paired += _with_answers(owners[item], answers[item], seen)
    return paired


def _give(answer: Message, owners: Sequence[Message], answers: Sequence[dict[int, Message]]) -> None:
    for owner, given in zip(reversed(owners), reversed(answers), strict=True):
        for place, call in enumerate(owner.calls):
            if call.id == answer.call_id and place not in given:
                given[place] = answer
                return


def _with_answers(owner: Message, given: dict[int, Message], seen: set[str]) -> list[Message]:
    calls: list[HistoryCall] = []
    told: list[Message] = []
    for place, call in enumerate(owner.calls):
        unique = _unique(call.id, seen)
        calls.append(call if unique == call.id else replace(call, id=unique))
        answer = given.get(place, Message(role=Role.TOOL, content=UNANSWERED))
        told.append(replace(answer, call_id=unique, content=answer.content if answer.content.strip() else NO_OUTPUT))
    return [replace(owner, calls=tuple(calls)), *told]


def _unique(name: str, seen: set[str]) -> str:
    """Return the id, numbered when it was used before: an answer must lead to one call."""
    candidate, number = name or "call", 1
    while candidate in seen:
        number += 1
        candidate = f"{name or 'call'}-{number}"
    seen.add(candidate)
    return candidate


def _speaking(messages: Iterable[Message]) -> list[Message]:
    return [
        message
        for message in messages
        if message.content.strip() or message.calls or message.images or message.role is Role.TOOL
    ]


def join_neighbours(messages: Iterable[Message]) -> list[Message]:
    """Join neighbours in the same role; an assistant's words join the calls that follow, never what follows calls."""
    joined: list[Message] = []
    for message in messages:
        last = joined[-1] if joined else None
        if last and last.role is message.role and message.role in {Role.USER, Role.ASSISTANT} and not last.calls:
            words = _GAP.join(part for part in (last.content, message.content) if part.strip())
            joined[-1] = replace(message, content=words, images=(*last.images, *message.images))
        else:
            joined.append(message)
    return joined

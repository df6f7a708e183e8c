"""The stored part of a conversation on view: all turns that are over, and from which event on a page goes on live.

The conversation's row is read before the turns, and these before the messages: whatever happens between two of the
reads has a number above `Transcript.seq`, and reaches the page as an event.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agent_tools.selectors.calls import calls_by_id
from chat.models import Conversation, Event, Message, Request, RequestState, Role, Step, Turn, TurnKind, TurnState
from chat.selectors.branches import Node, Siblings, Tree
from chat.selectors.items import Known, Note, PersonItem, TurnItem, Usage, segments_of, usage_of

TURNS_SHOWN = 30


@dataclass(frozen=True, slots=True)
class Transcript:
    """What is shown of a conversation; `earlier` counts the person's messages left out at its beginning."""

    seq: int
    items: list[PersonItem | TurnItem]
    earlier: int
    usage: Usage
    todos: list[dict[str, Any]] = field(default_factory=list)


def transcript(conversation: Conversation, shown: int | None = TURNS_SHOWN) -> Transcript:
    """Return the branch on view: its last `shown` messages of the person (none: all) and what became of each."""
    last_seq = Conversation.objects.values_list("last_seq", flat=True).get(pk=conversation.pk)
    turns = list(Turn.objects.filter(conversation=conversation).select_related("model").order_by("created_at"))
    running = [turn for turn in turns if turn.state == TurnState.RUNNING]
    # A message has no place in the tree before its turn starts; one whose turn was stopped before that never gets one.
    unstarted = {turn.user_message_id: turn for turn in turns if _waits(turn)}
    rows = Message.objects.filter(conversation=conversation).values_list("id", "parent_id", "role", "turn_id")
    tree = Tree(node for node in map(Node._make, rows) if node.id not in unstarted)
    leaf = Conversation.objects.values_list("leaf_id", flat=True).get(pk=conversation.pk)
    said, earlier = _cut(_branch(tree.path(leaf)), shown)
    steps = _by_turn(Step.objects.filter(turn__conversation=conversation).order_by("number"))
    return Transcript(
        seq=min([last_seq, *(turn.first_seq - 1 for turn in running if turn.first_seq)]),
        items=[*_items(said, turns, tree, steps), *_queued(unstarted, busy=bool(running))],
        earlier=earlier,
        usage=usage_of(step for turn in turns if turn not in running for step in steps[turn.pk]),
        todos=_todos(conversation),
    )


@dataclass(slots=True)
class _Said:
    """A message of the person on the branch, and the turn that follows it there."""

    message: int
    turn: uuid.UUID | None = None
    first: int | None = None
    last: int | None = None


def _branch(path: Iterable[Node]) -> list[_Said]:
    found: list[_Said] = []
    for node in path:
        if node.role == Role.USER:
            found.append(_Said(node.id))
        elif found:
            found[-1].turn = found[-1].turn or node.turn_id
            found[-1].first = found[-1].first or node.id
            found[-1].last = node.id
    return found


def _cut(said: list[_Said], shown: int | None) -> tuple[list[_Said], int]:
    left_out = 0 if shown is None else max(0, len(said) - shown)
    return said[left_out:], left_out


def _by_turn(rows: Iterable[Any]) -> dict[uuid.UUID, list[Any]]:
    found: dict[uuid.UUID, list[Any]] = defaultdict(list)
    for row in rows:
        found[row.turn_id].append(row)
    return found


def _items(
    said: Sequence[_Said], turns: list[Turn], tree: Tree, steps: dict[uuid.UUID, list[Step]]
) -> list[PersonItem | TurnItem]:
    latest = {turn.user_message_id: turn for turn in turns}
    known = {turn.pk: turn for turn in turns}
    shown: dict[int, Turn] = {}
    for each in said:
        turn = known.get(each.turn) if each.turn else latest.get(each.message)
        if turn is not None and turn.state == TurnState.FINISHED:
            shown[each.message] = turn
    people = Message.objects.in_bulk([each.message for each in said])
    answers = _by_turn(Message.objects.filter(turn__in=list(shown.values()), role=Role.ASSISTANT).order_by("id"))
    asked = [uuid.UUID(str(call["id"])) for found in answers.values() for row in found for call in row.calls]
    facts = Known(calls_by_id(asked), _decisions(shown.values()))
    notes = _notes(shown.values())
    items: list[PersonItem | TurnItem] = []
    for each in said:
        person = _person(people[each.message], tree.siblings(each.message))
        items.append(replace(person, answers=len(tree.answers(each.message))))
        finished = shown.get(each.message)
        if finished is not None:
            items.append(
                TurnItem(
                    turn=finished,
                    first_message=each.first,
                    last_message=each.last,
                    segments=segments_of(answers[finished.pk], facts),
                    notes=notes[finished.pk],
                    usage=usage_of(steps[finished.pk]),
                    siblings=tree.siblings(each.first) if each.first else tree.beside_the_answers(each.message),
                )
            )
    return items


def _waits(turn: Turn) -> bool:
    return turn.started_at is None and turn.kind != TurnKind.REGENERATE


def _queued(unstarted: dict[int, Turn], *, busy: bool) -> list[PersonItem]:
    waiting = {message: turn for message, turn in unstarted.items() if turn.state == TurnState.QUEUED}
    found = Message.objects.in_bulk(list(waiting)) if waiting else {}
    return [
        _person(found[message], None, turn=turn.pk, queued=busy or at > 0)
        for at, (message, turn) in enumerate(waiting.items())
        if message in found
    ]


def _person(
    message: Message, siblings: Siblings | None, *, turn: uuid.UUID | None = None, queued: bool = False
) -> PersonItem:
    return PersonItem(
        id=message.pk,
        text=message.content,
        parent=message.parent_id,
        client_id=message.client_id,
        created_at=message.created_at,
        siblings=siblings,
        turn=turn,
        queued=queued,
    )


def _decisions(turns: Iterable[Turn]) -> dict[uuid.UUID, str]:
    settled = Request.objects.filter(turn__in=list(turns)).exclude(state=RequestState.PENDING)
    found = settled.values_list("call_id", "state", "answer")
    return {call_id: str(answer.get("decision") or state) for call_id, state, answer in found}


def _notes(turns: Iterable[Turn]) -> dict[uuid.UUID, list[Note]]:
    kinds = ("notification", "context_compacted")
    events = Event.objects.filter(turn_id__in=[turn.pk for turn in turns], type__in=kinds).order_by("seq")
    found: dict[uuid.UUID, list[Note]] = defaultdict(list)
    for turn_id, kind, data in events.values_list("turn_id", "type", "data"):
        if turn_id and data.get("details", {}).get("code") != "retrying":
            found[turn_id].append(Note(kind, data))
    return found


def _todos(conversation: Conversation) -> list[dict[str, Any]]:
    events = Event.objects.filter(conversation=conversation, type="todo_changed").order_by("-seq")
    data = events.values_list("data", flat=True).first()
    return list(data.get("todos", [])) if data else []

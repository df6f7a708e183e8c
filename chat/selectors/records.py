"""A conversation as operators read it: every message of every branch, turns with their steps, the journal."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet, Sum
from django.db.models.functions import Left, Length

from agent_tools.selectors.calls import CallRecord, calls_by_id
from chat.models import Conversation, Event, Message, Step, Turn, TurnState
from chat.selectors.branches import Node, Siblings, Tree
from chat.selectors.key_pages import KeyPage, key_page

MESSAGES, TURNS, EVENTS = 50, 25, 100
SHOWN = 4_000
LONGEST = 200_000
_TEXTS = ("content", "thinking", "notice")


@dataclass(frozen=True, slots=True)
class Text:
    """The beginning of a text; `length` is the whole one's, in characters."""

    text: str
    length: int

    @property
    def cut(self) -> bool:
        return len(self.text) < self.length


@dataclass(frozen=True, slots=True)
class CallShown:
    """One call of a message; its record, if it has one, tells what became of it, secrets masked."""

    id: str
    name: str
    arguments: Any
    record: CallRecord | None


@dataclass(frozen=True, slots=True)
class MessageRecord:
    """One message: its texts, its calls or the call it answers, and where it stands in the tree."""

    message: Message
    content: Text
    thinking: Text
    notice: Text
    calls: list[CallShown]
    answered: CallRecord | None
    siblings: Siblings | None
    on_view: bool


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One turn with its steps and their sums."""

    turn: Turn
    steps: list[Step] = field(default_factory=list)

    @property
    def input_tokens(self) -> int:
        return sum(step.input_tokens for step in self.steps)

    @property
    def output_tokens(self) -> int:
        return sum(step.output_tokens for step in self.steps)

    @property
    def cost(self) -> Decimal | None:
        costs = [step.cost for step in self.steps if step.cost is not None]
        return sum(costs, Decimal()) if costs else None

    @property
    def estimated(self) -> bool:
        return any(step.estimated for step in self.steps)


@dataclass(frozen=True, slots=True)
class Totals:
    """What a conversation used; `cost` is none where no price is known."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost: Decimal | None
    estimated: bool


def totals(conversation: Conversation) -> Totals:
    """Return the sums over all turns of all branches."""
    steps = Step.objects.filter(turn__conversation=conversation)
    sums = steps.aggregate(
        input_tokens=Sum("input_tokens", default=0),
        output_tokens=Sum("output_tokens", default=0),
        cached_tokens=Sum("cached_tokens", default=0),
        cost=Sum("cost"),
    )
    return Totals(**sums, estimated=steps.filter(estimated=True).exists())


def message_page(conversation: Conversation, *, after: str = "", before: str = "") -> KeyPage[Message]:
    """Return a page of messages in the order of their writing, long texts cut."""
    return key_page(_messages(conversation, SHOWN), ["pk"], size=MESSAGES, after=after, before=before)


def whole_message(conversation: Conversation, message_id: int) -> Message | None:
    """Return one message, its texts whole up to what a browser bears."""
    return _messages(conversation, LONGEST).filter(pk=message_id).first()


def message_records(conversation: Conversation, messages: Iterable[Message]) -> list[MessageRecord]:
    """Return messages with what belongs to them."""
    found = list(messages)
    ids = [_id_of(call) for message in found for call in message.calls]
    records = calls_by_id([*(one for one in ids if one), *(each.call_id for each in found if each.call_id)])
    waiting = Turn.objects.filter(conversation=conversation, state=TurnState.QUEUED).values("user_message")
    nodes = Message.objects.filter(conversation=conversation).exclude(pk__in=waiting)
    tree = Tree(map(Node._make, nodes.values_list("id", "parent_id", "role", "turn_id")))
    on_view = {node.id for node in tree.path(conversation.leaf_id)}
    return [_record(message, records, tree, on_view) for message in found]


def turn_page(conversation: Conversation, *, after: str = "", before: str = "") -> KeyPage[Turn]:
    """Return a page of turns in the order of their making."""
    turns = Turn.objects.filter(conversation=conversation).select_related("model")
    return key_page(turns, ["created_at", "pk"], size=TURNS, after=after, before=before)


def turn_records(turns: Iterable[Turn]) -> list[TurnRecord]:
    """Return turns with their steps."""
    found = {turn.pk: TurnRecord(turn) for turn in turns}
    for step in Step.objects.filter(turn__in=list(found)).order_by("turn", "number"):
        found[step.turn_id].steps.append(step)
    return list(found.values())


def event_page(
    conversation: Conversation, *, turn: uuid.UUID | None = None, after: str = "", before: str = ""
) -> KeyPage[Event]:
    """Return a page of the journal, of one turn or of all, in the order of its numbers."""
    events = Event.objects.filter(conversation=conversation)
    if turn is not None:
        events = events.filter(turn_id=turn)
    return key_page(events, ["seq"], size=EVENTS, after=after, before=before)


def _messages(conversation: Conversation, length: int) -> QuerySet[Message]:
    beginnings = {f"{name}_beginning": Left(name, length) for name in _TEXTS}
    lengths = {f"{name}_length": Length(name) for name in _TEXTS}
    rows = Message.objects.filter(conversation=conversation).annotate(**beginnings, **lengths)
    return rows.defer(*_TEXTS).select_related("turn")


def _record(message: Message, records: Mapping[uuid.UUID, CallRecord], tree: Tree, on_view: set[int]) -> MessageRecord:
    def text(name: str) -> Text:
        return Text(getattr(message, f"{name}_beginning"), getattr(message, f"{name}_length"))

    return MessageRecord(
        message=message,
        content=text("content"),
        thinking=text("thinking"),
        notice=text("notice"),
        calls=[_call(call, records) for call in message.calls],
        answered=records.get(message.call_id) if message.call_id else None,
        siblings=tree.siblings(message.pk) if message.pk in tree else None,
        on_view=message.pk in on_view,
    )


def _call(call: Mapping[str, Any], records: Mapping[uuid.UUID, CallRecord]) -> CallShown:
    known = _id_of(call)
    record = records.get(known) if known else None
    arguments = record.input if record is not None else call.get("arguments")
    return CallShown(str(call.get("id") or ""), str(call.get("name") or ""), arguments, record)


def _id_of(call: Mapping[str, Any]) -> uuid.UUID | None:
    try:
        return uuid.UUID(str(call.get("id")))
    except ValueError:
        return None

"""What a transcript consists of, ready for a template."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from agent_tools.selectors.calls import CallRecord
from chat.models import Message, Step, Turn
from chat.selectors.branches import Siblings

FAILED = frozenset({"error", "timeout", "denied", "interrupted"})


@dataclass(frozen=True, slots=True)
class Card:
    """One call of a tool. `output` is the beginning of the model's text, `cut` where there is more, `decision` what
    became of the request to the person, if there was one; `diff` the beginning of a unified diff of what was changed.
    """

    id: str
    name: str
    arguments: Any
    status: str
    reason: str = ""
    output: str = ""
    cut: bool = False
    duration_ms: int | None = None
    log: int | None = None
    decision: str = ""
    diff: str = ""

    @property
    def failed(self) -> bool:
        return self.status in FAILED


@dataclass(frozen=True, slots=True)
class Note:
    """Something told beside the answer: a notification with its level, or a shortening of the context."""

    kind: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a transcript's calls: their rows, and what was decided on them."""

    records: Mapping[uuid.UUID, CallRecord]
    decisions: Mapping[uuid.UUID, str]


@dataclass(slots=True)
class Segment:
    """A stretch of a turn: `kind` is thinking, text or tools; neighbouring steps' calls share one."""

    kind: str
    step: int
    text: str = ""
    cards: list[Card] = field(default_factory=list)

    @property
    def failed(self) -> int:
        return sum(card.failed for card in self.cards)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and cost of a turn or a conversation; `cost` is none where no price is known."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal | None = None
    estimated: bool = False

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class PersonItem:
    """What a person wrote, and how many `answers` to it are stored; `turn` only while it has not started, `queued`
    where it waits for another.
    """

    id: int
    text: str
    parent: int | None
    client_id: str
    created_at: datetime
    siblings: Siblings | None
    turn: uuid.UUID | None = None
    queued: bool = False
    answers: int = 0
    is_person: bool = True


@dataclass(frozen=True, slots=True)
class TurnItem:
    """A finished turn: what the model thought, said and did."""

    turn: Turn
    first_message: int | None
    last_message: int | None
    segments: list[Segment]
    notes: list[Note]
    usage: Usage
    siblings: Siblings | None
    is_person: bool = False

    @property
    def answer(self) -> str:
        """The answer's Markdown, for copying."""
        return "\n\n".join(segment.text for segment in self.segments if segment.kind == "text")


def segments_of(messages: Iterable[Message], known: Known) -> list[Segment]:
    """Return a turn's stretches in their order; calls with nothing said between them stand together."""
    found: list[Segment] = []
    for message in messages:
        found += [
            Segment(kind, message.step, text=text)
            for kind, text in (("thinking", message.thinking), ("text", message.content))
            if text.strip()
        ]
        if not message.calls:
            continue
        if not found or found[-1].kind != "tools":
            found.append(Segment("tools", message.step))
        found[-1].cards += [card_of(call, known) for call in message.calls]
    return found


def card_of(call: Mapping[str, Any], known: Known) -> Card:
    """Return the card of a call as a message holds it; its row tells the rest, secrets masked."""
    call_id = uuid.UUID(str(call["id"]))
    record = known.records.get(call_id)
    if record is None:
        return Card(str(call["id"]), str(call.get("name") or ""), _parsed(call.get("arguments")), "cancelled")
    return Card(
        id=str(record.call_id),
        name=record.name,
        arguments=record.input,
        status=record.status,
        reason=record.reason,
        output=record.beginning,
        cut=record.more,
        duration_ms=record.duration_ms,
        log=record.log_id,
        decision=known.decisions.get(call_id, ""),
        diff=record.diff,
    )


def usage_of(steps: Iterable[Step]) -> Usage:
    """Return the sum of some steps."""
    known = list(steps)
    costs = [step.cost for step in known if step.cost is not None]
    return Usage(
        input_tokens=sum(step.input_tokens for step in known),
        output_tokens=sum(step.output_tokens for step in known),
        cost=sum(costs, Decimal()) if costs else None,
        estimated=any(step.estimated for step in known),
    )


def _parsed(arguments: Any) -> Any:
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments

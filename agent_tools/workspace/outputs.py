"""Outputs that were too long for the model, kept whole and read piece by piece."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass

from django.db.models import F
from django.db.models.functions import Substr

from agent_tools.workspace.models import KeptOutput

PREFIX = "kept/"
_REFERENCE = re.compile(r"(?:\./)?kept/([0-9a-fA-F-]{32,36})")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a kept output: `start` and `total` count characters."""

    text: str
    start: int
    total: int


def reference_to(call_id: uuid.UUID) -> str:
    """Return what stands for a call's kept output in texts for the model, `kept/<id>`."""
    return f"{PREFIX}{call_id}"


def call_of(reference: str) -> uuid.UUID | None:
    """Return the call whose output a reference names; none where it is no such reference."""
    found = _REFERENCE.fullmatch(reference.strip())
    try:
        return uuid.UUID(found[1]) if found else None
    except ValueError:
        return None


def keep(*, call_id: uuid.UUID, session_id: uuid.UUID, slug: str, content: str) -> None:
    """Keep an output under its call; what is kept already stays as it is."""
    KeptOutput.objects.bulk_create(
        [
            KeptOutput(
                call_id=call_id, session_id=session_id, tool_slug=slug[:100], content=content, length=len(content)
            )
        ],
        ignore_conflicts=True,
    )


def read_piece(session_id: uuid.UUID, call_id: uuid.UUID, start: int = 0, length: int = 4_000) -> Piece | None:
    """Return up to `length` characters from `start`; none when this session keeps no such output."""
    start, length = max(start, 0), max(length, 0)
    row = (
        KeptOutput.objects.filter(session_id=session_id, call_id=call_id)
        .annotate(piece=Substr("content", start + 1, length), total=F("length"))
        .values_list("piece", "total")
        .first()
    )
    return None if row is None else Piece(row[0], start, row[1])


def read_whole(session_id: uuid.UUID, call_id: uuid.UUID) -> str | None:
    """Return a kept output as a whole; none when this session keeps no such output."""
    rows = KeptOutput.objects.filter(session_id=session_id, call_id=call_id)
    return rows.values_list("content", flat=True).first()

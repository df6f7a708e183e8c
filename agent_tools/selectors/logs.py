"""Reads of the log that stay fast on millions of rows: no full count, no offset, no sort.

A row's id grows with its time, so a span of time becomes a span of ids, in whose order every index can be read.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Count, Max, Min, Q, QuerySet, TextField
from django.db.models.functions import Cast

from agent_tools.models import AgentToolLog

Rows = QuerySet[AgentToolLog]

COUNT_LIMIT = 10_000
SCAN_ROWS = 100_000
"""So many rows are looked through for one page where no index leads to what is wanted."""

DISORDER = 20_000
"""Rows may have been written this far out of the order of their times without being missed at the edge of a span."""


@dataclass(frozen=True, slots=True)
class Window:
    """A span of time, both ends included; none is open."""

    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """The ids, both included, between which a window's rows lie."""

    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1


def span_of(window: Window) -> Span | None:
    """Return where the window's rows lie; none when it has none. Reads at most `DISORDER` entries of an index."""
    rows = AgentToolLog.objects.order_by()
    if window.start is None:
        first = rows.order_by("id").values_list("id", flat=True).first()
    else:
        edge = rows.filter(created_at__gte=window.start).order_by("created_at").values("id")[:DISORDER]
        first = edge.aggregate(edge=Min("id"))["edge"]
    if window.end is None:
        last = rows.order_by("-id").values_list("id", flat=True).first()
    else:
        edge = rows.filter(created_at__lte=window.end).order_by("-created_at").values("id")[:DISORDER]
        last = edge.aggregate(edge=Max("id"))["edge"]
    return None if first is None or last is None or first > last else Span(first, last)


def rows_within(rows: Rows, window: Window, span: Span | None) -> Rows:
    """Narrow rows to a window, whose span the caller knows."""
    if span is None:
        return rows.none()
    if window.start is not None:
        rows = rows.filter(created_at__gte=window.start, id__gte=span.first)
    if window.end is not None:
        rows = rows.filter(created_at__lte=window.end, id__lte=span.last)
    return rows


def id_given(term: str) -> uuid.UUID | None:
    """Return the call or session id that a search term is, if it is one."""
    try:
        return uuid.UUID(term.strip())
    except ValueError:
        return None


def rows_of_id(rows: Rows, wanted: uuid.UUID) -> Rows:
    """Narrow rows to one call, or to the calls of one session."""
    return rows.filter(Q(call_id=wanted) | Q(session_id=wanted))


def rows_with_text(rows: Rows, text: str) -> Rows:
    """Narrow rows to those whose input holds the text, a URL say; case does not count (for ASCII on SQLite)."""
    stored = json.dumps(text, ensure_ascii=connection.vendor == "sqlite")[1:-1]
    return rows.alias(input_text=Cast("input", TextField())).filter(input_text__icontains=stored)


@dataclass(frozen=True, slots=True)
class Counted:
    """How many rows there are, up to `COUNT_LIMIT`."""

    count: int
    more: bool


def bounded_count(rows: Rows) -> Counted:
    """Count at most `COUNT_LIMIT` rows."""
    found = rows.order_by("-id").values("id")[: COUNT_LIMIT + 1].aggregate(found=Count("id"))["found"]
    return Counted(min(found, COUNT_LIMIT), more=found > COUNT_LIMIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Rows, newest first. `older` and `newer` are the ids to go on from, none at an end; `looked_to` is the id at which
    a scan stopped before the page was full.
    """

    rows: list[AgentToolLog]
    older: int | None = None
    newer: int | None = None
    looked_to: int | None = None


def page_of(
    rows: Rows, span: Span | None, *, size: int, before: int | None, after: int | None, scan: int | None
) -> Page:
    """Return the page whose ids are below `before` or above `after` (neither: the newest), by key, not by offset.

    With `scan`, at most that many ids are looked through.
    """
    if span is None:
        return Page(rows=[])
    if after is not None:
        page = _newer_page(rows, span, size=size, after=after, scan=scan)
        if page is not None:
            return page
        before = None
    top = span.last if before is None else min(before - 1, span.last)
    floor = span.first if scan is None else max(span.first, top - scan + 1)
    found = list(rows.filter(id__lte=top, id__gte=floor).order_by("-id")[: size + 1])
    newer = None if before is None else (found[0].pk if found else before - 1)
    if len(found) > size:
        return Page(rows=found[:size], older=found[size - 1].pk, newer=newer)
    stopped = floor if floor > span.first else None
    return Page(rows=found, older=stopped, newer=newer, looked_to=stopped)


def _newer_page(rows: Rows, span: Span, *, size: int, after: int, scan: int | None) -> Page | None:
    """Return none where it would be the newest page, not full: that one is better read from its top."""
    ceiling = span.last if scan is None else min(span.last, after + scan)
    found = list(rows.filter(id__gt=after, id__lte=ceiling).order_by("id")[: size + 1])
    if len(found) <= size and ceiling == span.last:
        return None
    shown = found[:size][::-1]
    newest = shown[0].pk if len(found) > size else ceiling
    return Page(rows=shown, older=after + 1, newer=newest)


def all_rows(rows: Rows, size: int = 200) -> Iterator[AgentToolLog]:
    """Go through rows newest first, by key and a few at a time, so that no query runs long or holds many."""
    last: int | None = None
    while True:
        part = rows if last is None else rows.filter(id__lt=last)
        found: list[Any] = list(part.order_by("-id")[:size])
        yield from found
        if len(found) < size:
            return
        last = found[-1].pk

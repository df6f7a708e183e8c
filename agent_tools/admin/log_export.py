"""The filtered calls as CSV or JSON lines, streamed by key: any number of rows in little memory."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from agent_tools.admin import json_text
from agent_tools.models import AgentToolLog
from agent_tools.selectors.logs import Rows, all_rows

COLUMNS = (
    *("id", "created_at", "call_id", "session_id", "tool_id", "tool_slug", "user", "door", "provider_call_id"),
    *("status", "reason", "error_message", "duration_ms", "input", "metadata"),
)
LONG_COLUMNS = ("output", "content")
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export(model_admin: admin.ModelAdmin[AgentToolLog], request: HttpRequest, form: str) -> HttpResponseBase:
    """Stream the rows that the list's filters leave: `csv` (without output and content) or `jsonl` (whole rows)."""
    if not model_admin.has_view_permission(request):
        raise PermissionDenied
    writers: dict[str, tuple[Callable[[Rows], Iterator[str]], str]] = {
        "csv": (_csv, "text/csv; charset=utf-8"),
        "jsonl": (_json_lines, "application/jsonl; charset=utf-8"),
    }
    if form not in writers:
        raise Http404
    try:
        listed: Any = model_admin.get_changelist_instance(request)
    except IncorrectLookupParameters:
        return redirect("admin:agent_tools_agenttoollog_changelist")
    writer, content_type = writers[form]
    lines = writer(listed.rows.select_related("user"))
    # A sync iterator would be gathered whole under ASGI, an async one under WSGI.
    body = _in_turn(lines) if isinstance(request, ASGIRequest) else lines
    name = f"tool-calls-{timezone.now():%Y%m%d-%H%M%S}.{form}"
    return StreamingHttpResponse(
        body, content_type=content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


async def _in_turn(lines: Iterator[str]) -> AsyncIterator[str]:
    after = sync_to_async(lambda: next(lines, None))
    while (line := await after()) is not None:
        yield line


def _csv(rows: Rows) -> Iterator[str]:
    yield _csv_line(COLUMNS)
    for row in all_rows(rows.defer(*LONG_COLUMNS)):
        record = _record(row, COLUMNS)
        yield _csv_line([_cell(record[name]) for name in COLUMNS])


def _csv_line(cells: Any) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()


def _cell(value: Any) -> str:
    """Return a value as a spreadsheet may read it: nothing that came from outside can be a formula."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json_text.compact(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(FORMULA) else text


def _json_lines(rows: Rows) -> Iterator[str]:
    for row in all_rows(rows):
        yield json.dumps(_record(row, (*COLUMNS, *LONG_COLUMNS)), ensure_ascii=False, default=str) + "\n"


def _record(row: AgentToolLog, names: tuple[str, ...]) -> dict[str, Any]:
    record: dict[str, Any] = {name: getattr(row, name) for name in names if name != "user"}
    record["user"] = row.user.get_username() if row.user else None
    record["created_at"] = row.created_at.isoformat()
    return {name: record[name] for name in names}

"""Pages of the log by key: the ten-thousandth costs what the first does, and nothing is counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils.dateparse import parse_datetime
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.views import APIView

from agent_tools.api.errors import Finding, InvalidQueryError
from agent_tools.selectors.identifiers import row_id, uuid_or_none

BY_ID = ("-id",)
BY_TIME = ("-created_at", "-id")
TOOL_ID = "tool_id"
INDEXED_WITH_TIME = frozenset({"from", "to", TOOL_ID})
INDEXED_WITH_ID = frozenset({"tool", "status", "user", "session"})


class NewestFirst(CursorPagination):
    """The newest first; `page_size` is from 1 to 200. A wrong cursor or size is refused by name."""

    page_size = 50
    max_page_size = 200
    page_size_query_param = "page_size"
    page_size_query_description = "Rows on a page, from 1 to 200; 50 unless told."

    def get_ordering(self, request: Request, queryset: QuerySet[Any], view: APIView) -> tuple[str, ...]:
        """Return the order whose index the filters leave in use: rows are written as time passes, so both orders mean
        the same, but a database asked for a range of time by id would sort the whole range.
        """
        asked = {name for name, value in request.query_params.items() if value}
        if uuid_or_none(request.query_params.get("tool", "")) is not None:
            asked = asked - {"tool"} | {TOOL_ID}
        return BY_TIME if asked & INDEXED_WITH_TIME and not asked & INDEXED_WITH_ID else BY_ID

    def get_page_size(self, request: Request) -> int:
        text = request.query_params.get(self.page_size_query_param)
        if text is None:
            return self.page_size
        if text.isascii() and text.isdecimal() and 1 <= int(text[:10]) <= self.max_page_size:
            return int(text)
        raise InvalidQueryError(
            [Finding(f"Give a whole number from 1 to {self.max_page_size}.", parameter=self.page_size_query_param)]
        )

    def decode_cursor(self, request: Request) -> Any:
        try:
            cursor = super().decode_cursor(request)
        except NotFound as error:
            raise self._wrong_cursor() from error
        if cursor is not None and cursor.position is not None and not _fits(str(cursor.position), self.ordering):
            raise self._wrong_cursor()
        return cursor

    def _wrong_cursor(self) -> InvalidQueryError:
        return InvalidQueryError(
            [
                Finding(
                    "This is no cursor for this query; follow `next` or `previous`.", parameter=self.cursor_query_param
                )
            ]
        )


def _fits(position: str, ordering: str | Sequence[str] | None) -> bool:
    if ordering == BY_TIME:
        try:
            moment = parse_datetime(position)
        except ValueError:
            return False
        return moment is not None and moment.tzinfo is not None
    return row_id(position) is not None

"""Pages of the log by key: the ten-thousandth costs what the first does, and nothing is counted."""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

from agent_tools.api.errors import Finding, InvalidQueryError

LARGEST_ID = 2**63 - 1


class NewestFirst(CursorPagination):
    """The newest first; `page_size` is from 1 to 200. A wrong cursor or size is refused by name."""

    ordering = "-id"
    page_size = 50
    max_page_size = 200
    page_size_query_param = "page_size"
    page_size_query_description = "Rows on a page, from 1 to 200; 50 unless told."

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
        wrong = InvalidQueryError(
            [Finding("This is no cursor; take it from `next` or `previous`.", parameter=self.cursor_query_param)]
        )
        try:
            cursor = super().decode_cursor(request)
        except NotFound as error:
            raise wrong from error
        position = cursor.position if cursor is not None else None
        if position is not None and not (str(position).isdecimal() and int(str(position)[:20]) <= LARGEST_ID):
            raise wrong
        return cursor

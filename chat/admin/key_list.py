"""The stock list, paged by key and counted up to a bound: for tables that grow with every conversation."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.admin.views.main import SEARCH_VAR, ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest

from chat.selectors.key_pages import KeyPage, bounded_count, key_page

BEFORE, AFTER = "before", "after"


class KeyList(ChangeList):
    """Holds one page, newest first, in the order of `keys`."""

    keys: ClassVar[tuple[str, ...]]
    page: KeyPage[Any]

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        self.before, self.after = (self._taken(name) for name in (BEFORE, AFTER))
        rows: QuerySet[Any] = super().get_queryset(request, exclude_parameters)
        return rows

    def get_results(self, request: HttpRequest) -> None:
        self.page = key_page(self.queryset, self.keys, size=self.list_per_page, after=self.after, before=self.before)
        self.counted = bounded_count(self.queryset)
        self.result_list = self.page.rows
        self.result_count = len(self.page.rows)
        self.full_result_count = None
        self.show_full_result_count = False
        self.show_admin_actions = True
        self.can_show_all = self.multi_page = False

    def _taken(self, name: str) -> str:
        self.params.pop(name, None)
        return str(self.filter_params.pop(name, [""])[-1])

    @property
    def newer_query(self) -> str | None:
        return None if self.page.previous is None else self.get_query_string({BEFORE: self.page.previous})

    @property
    def older_query(self) -> str | None:
        return None if self.page.following is None else self.get_query_string({AFTER: self.page.following})

    @property
    def without_search(self) -> str:
        return self.get_query_string(remove=[SEARCH_VAR])

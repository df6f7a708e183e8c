"""The list of calls: the stock list, paged by key, counted up to a bound, without the long columns."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.admin.views.main import SEARCH_VAR, ChangeList
from django.http import HttpRequest
from django.utils.translation import gettext as _

from agent_tools.admin.log_filters import DoorFilter, TimeFilter, ToolFilter, TypedFilter
from agent_tools.selectors import logs
from agent_tools.selectors.identifiers import row_id

BEFORE, AFTER = "before", "after"
LONG_COLUMNS = ("input", "output", "content", "metadata", "provider_call_id")


class LogList(ChangeList):
    """Holds one page; `rows` is what the filters leave, for the export."""

    rows: logs.Rows
    span: logs.Span | None
    counted: logs.Counted | None
    page: logs.Page

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> logs.Rows:
        self.before, self.after = (self._taken(name) for name in (BEFORE, AFTER))
        rows: logs.Rows = super().get_queryset(request, exclude_parameters)
        wanted = logs.id_given(self.query) if self.query else None
        spec = next(spec for spec in self.filter_specs if isinstance(spec, TimeFilter))
        for name in spec.wrong:
            advice = _("“%(text)s” is no time: write 2026-05-31 or 2026-05-31 14:30.")
            messages.error(request, advice % {"text": spec.typed[name]})
        # An id is unique: without a chosen time it is looked for in all of it.
        window = logs.Window() if wanted and not spec.chosen else spec.window()
        self.span = logs.span_of(window)
        self.text_only = bool(self.query) and wanted is None
        self.rows = logs.rows_within(rows, window, self.span).order_by("-id")
        return self.rows

    def get_results(self, request: HttpRequest) -> None:
        scan = None if self._has_index() else logs.SCAN_ROWS
        listed = self.rows.defer(*LONG_COLUMNS)
        self.page = logs.page_of(
            listed, self.span, size=self.list_per_page, before=self.before, after=self.after, scan=scan
        )
        counts = scan is None or (self.span is not None and self.span.length <= logs.SCAN_ROWS)
        self.counted = logs.bounded_count(self.rows) if counts else None
        self.result_list = self.page.rows
        self.result_count = len(self.page.rows)
        self.full_result_count = None
        self.show_full_result_count = False
        self.show_admin_actions = True
        self.can_show_all = self.multi_page = False

    def _taken(self, name: str) -> int | None:
        self.params.pop(name, None)
        return row_id(str(self.filter_params.pop(name, [""])[-1]))

    def _has_index(self) -> bool:
        """Tell whether one index leads to every row that is wanted, in order."""
        if self.text_only:
            return False
        active = [spec for spec in self.filter_specs if not isinstance(spec, TimeFilter) and _is_active(spec)]
        if any(isinstance(spec, DoorFilter) for spec in active):
            return False
        unknown = any(isinstance(spec, ToolFilter) and " " in (spec.value() or "") for spec in active)
        return len(active) <= 1 and not unknown

    @property
    def older_query(self) -> str | None:
        return None if self.page.older is None else self.get_query_string({BEFORE: self.page.older})

    @property
    def newer_query(self) -> str | None:
        return None if self.page.newer is None else self.get_query_string({AFTER: self.page.newer})

    @property
    def without_search(self) -> str:
        return self.get_query_string(remove=[SEARCH_VAR])

    @property
    def filter_query(self) -> str:
        """The filters without a position, for the export."""
        return self.get_query_string()


def _is_active(spec: Any) -> bool:
    return any(spec.typed.values()) if isinstance(spec, TypedFilter) else bool(spec.value())

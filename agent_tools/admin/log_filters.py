"""The filters of the log: each on an index where there is one, none of them counting."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth import get_user_model
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agent_tools.admin.labels import door_labels
from agent_tools.models.log import LogStatus
from agent_tools.selectors.identifiers import row_id
from agent_tools.selectors.logs import Rows, Window
from agent_tools.selectors.tools import all_tools

UNKNOWN = "unknown tool"  # holds a blank, so it is no slug
SYSTEM = "-"


class ToolFilter(admin.SimpleListFilter):
    """By slug, from the table of tools: the log itself is never asked which slugs it holds."""

    title = gettext_lazy("tool")
    parameter_name = "tool"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> list[tuple[str, str]]:
        slugs = list(all_tools().order_by("slug").values_list("slug", flat=True))
        wanted = self.value()
        if wanted and wanted != UNKNOWN and wanted not in slugs:
            slugs.append(wanted)  # a tool that is gone, or was renamed
        return [*((slug, slug) for slug in slugs), (UNKNOWN, _("Unknown name"))]

    def queryset(self, request: HttpRequest, queryset: Rows) -> Rows:
        wanted = self.value()
        if not wanted:
            return queryset
        return queryset.filter(tool_id=None) if wanted == UNKNOWN else queryset.filter(tool_slug=wanted)


class StatusFilter(admin.SimpleListFilter):
    """By state."""

    title = gettext_lazy("status")
    parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> list[tuple[str, str]]:
        return [(value, str(label)) for value, label in LogStatus.choices]

    def queryset(self, request: HttpRequest, queryset: Rows) -> Rows:
        return queryset.filter(status=self.value()) if self.value() else queryset


class DoorFilter(admin.SimpleListFilter):
    """By the way the call came in."""

    title = gettext_lazy("door")
    parameter_name = "door"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> list[tuple[str, str]]:
        return list(door_labels().items())

    def queryset(self, request: HttpRequest, queryset: Rows) -> Rows:
        return queryset.filter(door=self.value()) if self.value() else queryset


class TypedFilter(admin.ListFilter):
    """A filter with fields to type in beside its links."""

    names: tuple[str, ...]

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        super().__init__(request, params, model, model_admin)
        self.typed = {name: str(params.pop(name)[-1]).strip() for name in self.names if name in params}
        self.hidden: list[tuple[str, str]] = []

    def has_output(self) -> bool:
        return True

    def expected_parameters(self) -> list[str | None]:
        return list(self.names)

    def choice(self, changelist: ChangeList, label: str, values: dict[str, str], *, selected: bool) -> Any:
        """Return one link, which replaces all of this filter's values."""
        query = changelist.get_query_string({**dict.fromkeys(self.names), **values})
        return {"selected": selected, "query_string": query, "display": label}

    def remember_others(self, changelist: ChangeList) -> None:
        """Note the other filters' values, which the fields' form carries along."""
        self.hidden = [(name, value) for name, value in changelist.params.items() if name not in self.names]


class UserFilter(TypedFilter):
    """By user, typed as name or id: a list of all users would be long."""

    title = gettext_lazy("user")
    template = "admin/agent_tools/agenttoollog/user_filter.html"
    names = ("user",)

    def queryset(self, request: HttpRequest, queryset: Rows) -> Rows:
        wanted = self.typed.get("user", "")
        if not wanted:
            return queryset
        if wanted == SYSTEM:
            return queryset.filter(user=None)
        named = {get_user_model().USERNAME_FIELD: wanted}
        found = get_user_model().objects.filter(**named).values_list("pk", flat=True).first()
        if found is None:
            found = row_id(wanted)
        return queryset.none() if found is None else queryset.filter(user_id=found)

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        self.remember_others(changelist)
        wanted = self.typed.get("user", "")
        self.shown = "" if wanted == SYSTEM else wanted
        yield self.choice(changelist, _("All"), {}, selected=not wanted)
        yield self.choice(changelist, _("The system"), {"user": SYSTEM}, selected=wanted == SYSTEM)


HOUR, DAY, WEEK, MONTH = "hour", "day", "week", "month"
ALL = "all"
SPANS = {HOUR: timedelta(hours=1), DAY: timedelta(days=1), WEEK: timedelta(days=7), MONTH: timedelta(days=30)}


class TimeFilter(TypedFilter):
    """By time: the last seven days unless something else is chosen. The list applies it."""

    title = gettext_lazy("time")
    template = "admin/agent_tools/agenttoollog/time_filter.html"
    names = ("time", "from", "to")

    def queryset(self, request: HttpRequest, queryset: Rows) -> Rows:
        return queryset

    @property
    def chosen(self) -> bool:
        return any(self.typed.values())

    @property
    def wrong(self) -> list[str]:
        """The typed times that cannot be read."""
        return [name for name in ("from", "to") if self.typed.get(name) and _moment(self.typed[name]) is None]

    def window(self) -> Window:
        """Return the span that is asked for; an explicit one wins over a preset."""
        start, end = _moment(self.typed.get("from", "")), _moment(self.typed.get("to", ""), end=True)
        if start or end:
            return Window(start, end)
        preset = self.typed.get("time", WEEK)
        return Window() if preset == ALL else Window(start=timezone.now() - SPANS.get(preset, SPANS[WEEK]))

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        self.remember_others(changelist)
        explicit = bool(self.typed.get("from") or self.typed.get("to"))
        preset = "" if explicit else self.typed.get("time", WEEK)
        labels = {
            HOUR: _("Last hour"),
            DAY: _("Last day"),
            WEEK: _("Last 7 days"),
            MONTH: _("Last 30 days"),
            ALL: _("All"),
        }
        for name, label in labels.items():
            yield self.choice(changelist, label, {} if name == WEEK else {"time": name}, selected=preset == name)

    @property
    def start_text(self) -> str:
        return self.typed.get("from", "")

    @property
    def end_text(self) -> str:
        return self.typed.get("to", "")


def _moment(text: str, *, end: bool = False) -> datetime | None:
    """Read a date or a date with time, in the site's time zone; a date is its first or its last moment."""
    try:
        day: date | None = parse_date(text)
        moment = datetime.combine(day, time.max if end else time.min) if day else parse_datetime(text)
    except ValueError:
        return None
    if moment is None:
        return None
    if end and not day and moment.second == 0 and moment.microsecond == 0:
        moment = moment.replace(second=59, microsecond=999_999)
    try:
        return (timezone.make_aware(moment) if timezone.is_naive(moment) else moment).astimezone(UTC)
    except OverflowError:  # it lies outside of the years that there are
        return None

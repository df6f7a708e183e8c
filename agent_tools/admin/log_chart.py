"""The last seven days as a chart: calls, errors and latency, with the same numbers in a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from agent_tools.admin.labels import duration_shown
from agent_tools.models import AgentToolLog
from agent_tools.selectors.hourly import Stretch, by_day, by_hour
from agent_tools.selectors.tools import all_tools

DAYS = 7
WIDTH, HEIGHT = 960, 180
STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Bar:
    """One stretch, drawn: where the parts begin and how tall they are, in the drawing's units as text."""

    x: str
    width: str
    centre: str
    parts: tuple[tuple[str, str, str], ...]
    """Kind, y and height of each part."""

    title: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing of bars under a scale."""

    bars: list[Bar]
    ticks: list[tuple[str, str]]
    """Position and label of each horizontal line."""

    days: list[tuple[str, str]]
    """Position and label where a day begins."""


def chart_page(model_admin: admin.ModelAdmin[AgentToolLog], request: HttpRequest) -> HttpResponse:
    """Show calls, errors and latency by hour or day, of all tools or of one (`?tool=`, `?by=day`)."""
    if not model_admin.has_view_permission(request):
        raise PermissionDenied
    slug = request.GET.get("tool", "")
    daily = request.GET.get("by") == "day"
    start = timezone.now() - timedelta(days=DAYS)
    hours = by_hour(start, slug or None)
    stretches = by_day(hours) if daily else hours
    busy = [stretch for stretch in reversed(stretches) if stretch.calls]
    total = Stretch(start)
    for hour in hours:
        total.add(hour)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Calls of the last %(days)d days") % {"days": DAYS},
        "opts": model_admin.opts,
        "media": model_admin.media,
        "is_popup": False,
        "slugs": list(all_tools().order_by("slug").values_list("slug", flat=True)),
        "slug": slug,
        "daily": daily,
        "total": Row.of(total, daily=daily),
        "calls_chart": draw_calls(stretches, daily=daily),
        "time_chart": draw_times(stretches, daily=daily),
        "table": [Row.of(stretch, daily=daily) for stretch in busy],
    }
    return TemplateResponse(request, "admin/agent_tools/agenttoollog/chart.html", context)


@dataclass(frozen=True, slots=True)
class Row:
    """A stretch in words."""

    when: str
    calls: int
    failed: int
    rate: str
    median: str
    slow: str
    longest: str

    @classmethod
    def of(cls, stretch: Stretch, *, daily: bool) -> Row:
        return cls(
            when=_when(stretch, daily=daily),
            calls=stretch.calls,
            failed=stretch.failed,
            rate=f"{stretch.failed / stretch.calls:.1%}" if stretch.calls else "–",
            median=_ms(stretch.median),
            slow=_ms(stretch.slow),
            longest=_ms(stretch.longest if stretch.slots else None),
        )


def draw_calls(stretches: Sequence[Stretch], *, daily: bool) -> Chart:
    """Draw calls as bars, the failed ones at their feet."""
    most = max((stretch.calls for stretch in stretches), default=0)

    def parts(stretch: Stretch) -> list[tuple[str, float, float]]:
        return [("failed", 0, stretch.failed), ("ok", stretch.failed, stretch.calls)]

    return _draw(stretches, most, parts, str, daily=daily)


def draw_times(stretches: Sequence[Stretch], *, daily: bool) -> Chart:
    """Draw latency as bars: up to the median, and from there to what 95 % of the calls stay below."""
    most = max((stretch.slow or 0 for stretch in stretches), default=0)

    def parts(stretch: Stretch) -> list[tuple[str, float, float]]:
        median, slow = stretch.median or 0, stretch.slow or 0
        return [("median", 0, median), ("slow", median, slow)]

    return _draw(stretches, most, parts, lambda value: _ms(float(value)), daily=daily)


def _draw(
    stretches: Sequence[Stretch],
    most: float,
    parts: Callable[[Stretch], list[tuple[str, float, float]]],
    label: Callable[[int], str],
    *,
    daily: bool,
) -> Chart:
    top = _round_up(most)
    width = WIDTH / max(len(stretches), 1)

    def y(value: float) -> float:
        return HEIGHT * (1 - value / top)

    bars = [
        Bar(
            x=f"{position * width + width * 0.1:.1f}",
            width=f"{width * 0.8:.1f}",
            centre=f"{position * width + width / 2:.1f}",
            parts=tuple(
                (kind, f"{y(high):.1f}", f"{y(low) - y(high):.1f}") for kind, low, high in parts(stretch) if high > low
            ),
            title=_sentence(Row.of(stretch, daily=daily)),
        )
        for position, stretch in enumerate(stretches)
    ]
    days = [
        (f"{position * width:.1f}", date_format(timezone.localtime(stretch.start), "D j"))
        for position, stretch in enumerate(stretches)
        if daily or timezone.localtime(stretch.start).hour == 0
    ]
    ticks = [(f"{y(value):.1f}", label(value)) for value in ((0, top // 2, top) if top > 1 else (0, top))]
    return Chart(bars, ticks, days)


def _round_up(value: float) -> int:
    """Return the next of 1, 2, 5, 10, 20, 50 and so on."""
    size = 1
    while True:
        for step in STEPS:
            if step * size >= value:
                return step * size
        size *= 10


def _when(stretch: Stretch, *, daily: bool) -> str:
    return date_format(timezone.localtime(stretch.start), "D j M" if daily else "D j M, H:i")


def _ms(value: float | None) -> str:
    return "–" if value is None else duration_shown(round(value)) or "–"


def _sentence(row: Row) -> str:
    words = _("%(when)s: %(calls)d calls, %(failed)d failed, median %(median)s, 95 %% below %(slow)s")
    return words % {
        "when": row.when,
        "calls": row.calls,
        "failed": row.failed,
        "median": row.median,
        "slow": row.slow,
    }

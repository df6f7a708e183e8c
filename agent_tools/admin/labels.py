"""Words for codes, in the reader's language, and small pieces of pages."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.translation import gettext as _

from agent_tools.contract.calls import Door
from agent_tools.models.log import LogStatus

SECOND, MINUTE = 1_000, 60_000


def door_labels() -> dict[str, str]:
    """Return the doors with their names."""
    return {
        Door.CHAT.value: _("chat"),
        Door.API.value: _("API"),
        Door.ADMIN.value: _("admin"),
        Door.BACKGROUND.value: _("background"),
    }


def status_badge(status: str) -> str:
    """Return a state's name as a coloured badge; an unknown one as it is."""
    known = status in LogStatus.values
    label = LogStatus(status).label if known else status
    return format_html('<span class="status status-{}">{}</span>', status if known else "unknown", label)


def duration_shown(milliseconds: int | None) -> str | None:
    """Return a duration as people read it: 850 ms, 2.4 s, 3 min 20 s."""
    if milliseconds is None:
        return None
    if milliseconds < SECOND:
        return _("%(ms)d ms") % {"ms": milliseconds}
    if milliseconds < MINUTE:
        return _("%(s).1f s") % {"s": milliseconds / SECOND}
    return _("%(min)d min %(s)d s") % {"min": milliseconds // MINUTE, "s": milliseconds % MINUTE // SECOND}

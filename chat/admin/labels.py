"""Small pieces of pages: badges, and links that only those get who may follow them."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext as _

from chat.models import Request, RequestState, Turn, TurnReason, TurnState

NOTHING = "–"
GOOD, BAD, DOUBTFUL, BUSY = "success", "error", "denied", "running"

_REASONS = {
    TurnReason.COMPLETED: GOOD,
    TurnReason.STEP_LIMIT: DOUBTFUL,
    TurnReason.STOPPED: DOUBTFUL,
    TurnReason.BUDGET: DOUBTFUL,
}
_STATES = {RequestState.PENDING: BUSY, RequestState.ANSWERED: GOOD}


def badge(shade: str, label: str) -> str:
    """Return a word in a coloured frame."""
    return format_html('<span class="status status-{}">{}</span>', shade, label)


def turn_badge(turn: Turn) -> str:
    """Return where a turn stands, or how it ended."""
    if turn.state != TurnState.FINISHED or not turn.reason:
        return badge(BUSY, str(turn.get_state_display()))
    return badge(_REASONS.get(TurnReason(turn.reason), BAD), str(turn.get_reason_display()))


def request_badge(request: Request, *, overdue: bool = False) -> str:
    """Return where a request stands; one whose time is over and that nobody has closed yet is no longer asked."""
    if overdue:
        return badge(DOUBTFUL, _("out of time"))
    return badge(_STATES.get(RequestState(request.state), DOUBTFUL), str(request.get_state_display()))


def may_see_calls(request: HttpRequest) -> bool:
    """Tell whether the person may look at the record of tool calls."""
    return any(request.user.has_perm(f"agent_tools.{verb}_agenttoollog") for verb in ("view", "change"))

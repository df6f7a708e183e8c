"""What a reader must know before the text of an answer."""

from __future__ import annotations

import re

from agent_tools.guards.response import Response
from agent_tools.guards.url_text import masked
from agent_tools.toolbox.web.page import Page
from agent_tools.toolbox.web.refresh import refresh_note

_OK = 200
_CHALLENGES = frozenset({401, 403, 429, 503})
_BOT_CHECK = re.compile(
    r"captcha|just a moment\.\.\.|checking your browser|enable javascript and cookies|are you a robot|bot verification",
    re.IGNORECASE,
)
_WORDS_OF_STATUS = {
    401: "The site asks for a sign-in.",
    403: "The site refuses access.",
    429: "The site says that there were too many requests; try later.",
    503: "The site says that it is not available now.",
}


def remarks(page: Page, head: Response) -> list[str]:
    """Return sentences about status, redirects, checks for robots, flaws of the body and of the page."""
    found: list[str] = []
    if head.status != _OK:
        found.append(f"HTTP {head.status} {head.reason_phrase}".strip().rstrip(".") + ".")
    if head.status in _CHALLENGES:
        is_check = head.headers.get("cf-mitigated") == "challenge" or _BOT_CHECK.search(page.text[:20_000])
        found.append(
            "The site answered with a check for robots, not with the page."
            if is_check
            else _WORDS_OF_STATUS[head.status]
        )
    if head.hops:
        found.append(f"Redirected to {masked(head.url)}.")
    if head.note is not None:
        found.append(head.note.message)
    found += refresh_note(head.headers.get_all("refresh"), head)
    return list(dict.fromkeys([*found, *page.notes]))

"""What a body says: text for a reader, data for a program, and what must be known about both."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from agent_tools.guards.response import BodyFlaw, Response
from agent_tools.text.charset import decode
from agent_tools.text.html.convert import convert
from agent_tools.text.jsontext import Unparsed, parse_json
from agent_tools.text.sniff import Content, Kind, classify
from agent_tools.toolbox.web.fetch_config import FetchConfig
from agent_tools.toolbox.web.windows import joint

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


@dataclass(frozen=True, slots=True)
class Page:
    """One window of a body as text; `data` is the text, or the parsed value. `notes` are sentences for the reader."""

    text: str
    data: Any
    content: Content
    charset: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Window:
    """Octets of a body between two cuts; `cut` says that more follow, `first` that they begin the body."""

    octets: bytes
    cut: bool
    first: bool = True
    charset: str = ""


async def read_page(window: Window, head: Response, config: FetchConfig, seconds: float) -> Page:
    """Read one window in the way that the operator chose; conversion takes at most `seconds`."""
    content = classify(window.octets, head.content_type)
    if not window.first:
        content = replace(content, kind=Kind.TEXT) if content.kind is Kind.BINARY else content
    if content.kind in {Kind.BINARY, Kind.EMPTY}:
        return _statement(window, head, content)
    header = f"text/plain; charset={window.charset}" if window.charset else head.content_type
    decoded = decode(window.octets, header, truncated=window.cut)
    page = Page(decoded.text, decoded.text, content, decoded.charset)
    if decoded.lossy:
        page = _noting(page, f"Some characters could not be read as {decoded.charset}.")
    if config.parse_mode == "json" and window.first:
        return _json(page, window, head)
    if config.parse_mode == "markdown" and content.kind is Kind.HTML:
        page = await _markdown(page, head, config, seconds)
        text = page.text + joint(window.octets) if window.cut else page.text
        return replace(page, text=text, data=text)
    return page


def remarks(page: Page, head: Response) -> list[str]:
    """Return what a reader must know before the text: status, redirects, checks for robots, flaws of the body."""
    found: list[str] = []
    if head.status != 200:  # noqa: PLR2004 - the one status that goes without saying
        found.append(f"HTTP {head.status} {head.reason_phrase}".strip() + ".")
    if head.status in _CHALLENGES:
        is_check = head.headers.get("cf-mitigated") == "challenge" or _BOT_CHECK.search(page.text[:20_000])
        found.append(
            "The site answered with a check for robots, not with the page."
            if is_check
            else _WORDS_OF_STATUS[head.status]
        )
    if head.hops:
        found.append(f"Redirected to {head.url}.")
    if head.note is not None:
        found.append(head.note.message)
    return [*found, *page.notes]


def _statement(window: Window, head: Response, content: Content) -> Page:
    if content.kind is Kind.EMPTY:
        unsupported = head.note is not None and head.note.flaw is BodyFlaw.UNSUPPORTED_CODING
        text = "" if unsupported else content.statement(0)
    else:
        size, received = _stated_size(head) if window.cut else 0, len(window.octets)
        text = content.statement(size or received, at_least=window.cut and not size)
    return Page(text, text, content)


def _stated_size(head: Response) -> int:
    """Return the size that the server states for a body as it is; 0 where it states none that could be true."""
    found = re.fullmatch(r"[0-9]{1,15}", head.headers.get("content-length"))
    return int(found[0]) if found and "content-encoding" not in head.headers else 0


def _json(page: Page, window: Window, head: Response) -> Page:
    parsed = parse_json(window.octets, head.content_type, truncated=window.cut)
    if isinstance(parsed, Unparsed):
        return _noting(replace(page, text=parsed.text, data=parsed.text), _unparsed(parsed, page, head), *parsed.notes)
    return _noting(replace(page, data=parsed.value), *parsed.notes)


def _unparsed(parsed: Unparsed, page: Page, head: Response) -> str:
    if page.content.kind is Kind.HTML:
        return f"The server sent HTML with status {head.status}, not JSON; the text is given as it came."
    return f"The answer is not JSON ({parsed.error.rstrip('.')}); the text is given as it came."


async def _markdown(page: Page, head: Response, config: FetchConfig, seconds: float) -> Page:
    result = await convert(page.text, head.url, main_content=config.main_content, timeout=seconds)
    return _noting(replace(page, text=result.text), *result.notes)


def _noting(page: Page, *notes: str) -> Page:
    return replace(page, notes=(*page.notes, *notes))

"""What a body says: text for a reader, data for a program, and what must be known about both."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ParamSpec, TypeVar

from agent_tools.guards.response import BodyFlaw, Response
from agent_tools.text.charset import decode, decode_as
from agent_tools.text.html.convert import convert
from agent_tools.text.jsontext import Unparsed, parse_json
from agent_tools.text.scrub import safe_text
from agent_tools.text.sniff import Content, Kind, classify
from agent_tools.text.striking import Striker
from agent_tools.toolbox.web.fetch_config import FetchConfig
from agent_tools.toolbox.web.refresh import meta_refreshes, refresh_note
from agent_tools.toolbox.web.windows import joint

P = ParamSpec("P")
T = TypeVar("T")
_LARGE = 65_536  # octets from which reading would keep others waiting
NO_TEXT = "The page holds no text."


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
    """Octets of a body between two cuts; `cut` says that more follow, `after` is the first page if this is not it."""

    octets: bytes
    cut: bool
    after: Page | None = None


class Reader:
    """Reads windows in the way that an operator chose, without the operator's secrets."""

    def __init__(self, config: FetchConfig, strike: Striker) -> None:
        self._config = config
        self._strike = strike

    async def read(self, window: Window, head: Response, seconds: float) -> Page:
        """Read one window; conversion takes at most `seconds`."""
        page = await self._read(window, head, seconds)
        if not page.charset:
            return page
        text = self._strike.piece(safe_text(page.text).value, begins=window.after is None, ends=not window.cut)
        return replace(page, text=text, data=text if page.data is page.text else page.data)

    async def read_raw(self, window: Window, head: Response) -> Page:
        """Tell what a window is, and what it says as it is."""
        content = window.after.content if window.after else classify(window.octets, head.content_type)
        if content.kind in {Kind.BINARY, Kind.EMPTY}:
            return _statement(window, head, content)
        if window.after:
            decoded = await _aside(window, decode_as, window.octets, window.after.charset, truncated=window.cut)
        else:
            decoded = await _aside(window, decode, window.octets, head.content_type, truncated=window.cut)
        page = Page(decoded.text, decoded.text, content, decoded.charset)
        return _noting(page, f"Some characters could not be read as {decoded.charset}.") if decoded.lossy else page

    async def _read(self, window: Window, head: Response, seconds: float) -> Page:
        page = await self.read_raw(window, head)
        if not page.charset:
            return page
        if self._config.parse_mode == "json" and window.after is None:
            return await _json(page, window, head)
        if self._config.parse_mode == "markdown" and page.content.kind is Kind.HTML:
            return await self._markdown(page, window, head, seconds)
        return page

    async def _markdown(self, page: Page, window: Window, head: Response, seconds: float) -> Page:
        result = await convert(page.text, head.url, main_content=self._config.main_content, timeout=seconds)
        notes = list(result.notes)
        if window.after is None:
            notes += refresh_note(meta_refreshes(page.text), head)
        text = result.text
        if not text.strip() and window.after is None:
            notes.append("The beginning of the page holds no text." if window.cut else NO_TEXT)
            text = "\n" if window.cut else ""  # a page must have a first character to be read on from
        elif text and window.cut:
            text += joint(window.octets)
        return _noting(replace(page, text=text, data=text), *notes)


async def _aside(window: Window, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function, in a thread where that may take long."""
    if len(window.octets) < _LARGE:
        return function(*args, **kwargs)
    return await asyncio.to_thread(function, *args, **kwargs)


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


async def _json(page: Page, window: Window, head: Response) -> Page:
    parsed = await _aside(window, parse_json, window.octets, head.content_type, truncated=window.cut)
    if isinstance(parsed, Unparsed):
        return _noting(replace(page, text=parsed.text, data=parsed.text), _unparsed(parsed, page, head), *parsed.notes)
    return _noting(replace(page, data=parsed.value), *parsed.notes)


def _unparsed(parsed: Unparsed, page: Page, head: Response) -> str:
    if page.content.kind is Kind.HTML:
        return f"The server sent HTML with status {head.status}, not JSON; the text is given as it came."
    return f"{parsed.error.rstrip('.')}; the text is given as it came."


def _noting(page: Page, *notes: str) -> Page:
    return replace(page, notes=(*page.notes, *notes))

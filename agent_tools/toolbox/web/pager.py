"""Goes on reading a page at a character that an earlier answer named, window by window."""

from __future__ import annotations

from dataclasses import replace

from agent_tools.guards.response import Response
from agent_tools.toolbox.web.fetch_config import FetchConfig
from agent_tools.toolbox.web.page import Page, Window, read_page
from agent_tools.toolbox.web.windows import split

MOST_BYTES = 67_108_864  # what a reader may skip before it gets to its place


class Pager:
    """Takes a body piece by piece, reads each full window and stops at the one that holds the place asked for."""

    def __init__(self, start: int, config: FetchConfig, seconds: float) -> None:
        self._start = start
        self._config = config
        self._seconds = seconds
        self._buffer = bytearray()
        self._passed = 0  # characters of the windows before
        self._first: Page | None = None
        self.page: Page | None = None
        self.more = False

    @property
    def next_index(self) -> int:
        """The character after the page's last."""
        return self._passed

    async def take(self, piece: bytes, head: Response) -> bool:
        """Take a piece; tell whether more is wanted."""
        self._buffer += piece
        limit = self._config.max_response_size
        while len(self._buffer) > limit:
            full = Window(bytes(self._buffer[:limit]), cut=True)
            kept, carried = split(full.octets, await self._charset(full, head), html=self._is_html)
            self._buffer[:limit] = carried
            if await self._read(replace(full, octets=kept), head):
                self.more = True
                return False
        return True

    async def finish(self, head: Response) -> None:
        """Read what is left when the body has ended."""
        if self.page is None:
            await self._read(Window(bytes(self._buffer), cut=head.truncated), head)
            self.more = head.truncated

    @property
    def _is_html(self) -> bool:
        return self._first is not None and self._first.content.kind == "html"

    async def _charset(self, window: Window, head: Response) -> str:
        if self._first is None:
            self._first = await read_page(window, head, self._config.model_copy(update={"parse_mode": "raw"}), 0)
        return self._first.charset or "utf-8"

    async def _read(self, window: Window, head: Response) -> bool:
        charset = "" if not self._passed else await self._charset(window, head)
        page = await read_page(
            replace(window, first=not self._passed, charset=charset), head, self._config, self._seconds
        )
        offset = self._start - self._passed
        self._passed += len(page.text)
        if offset < len(page.text):
            text = page.text[offset:]
            self.page = replace(page, text=text, data=text)
            return True
        return False

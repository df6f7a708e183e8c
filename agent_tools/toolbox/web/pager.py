"""Goes on reading a page at a character that an earlier answer named, window by window."""

from __future__ import annotations

import time
from dataclasses import replace

from agent_tools.guards.response import Response
from agent_tools.text.sniff import Kind
from agent_tools.toolbox.web.page import Page, Reader, Window
from agent_tools.toolbox.web.windows import LEAST_WINDOW, split

MOST_BYTES = 67_108_864  # what a reader may skip before it gets to its place
LEAST_FOR_READING = 1.0  # seconds a page gets to be converted, however late it arrived


class Pager:
    """Takes a body piece by piece, reads each full window and stops at the one that holds the character `start`.

    `page` is that window from this character on; `first` what the beginning is, which may be no text; `more` says
    that the body goes on; `deadline` is of the monotonic clock.
    """

    def __init__(self, start: int, reader: Reader, window: int, deadline: float) -> None:
        self.page: Page | None = None
        self.first: Page | None = None
        self.more = False
        self.next_index = 0
        self._start = start
        self._reader = reader
        self._size = max(window, LEAST_WINDOW)
        self._deadline = deadline
        self._buffer = bytearray()
        self._sound = True

    async def take(self, piece: bytes, head: Response) -> bool:
        """Take a piece; tell whether more is wanted."""
        self._buffer += piece
        while len(self._buffer) > self._size:
            window = bytes(self._buffer[: self._size])
            raw = self.first or await self._reader.read_raw(Window(window, cut=True), head)
            kept, carried = split(window, raw.charset or "utf-8", html=raw.content.kind is Kind.HTML)
            self._buffer[: self._size] = carried
            if await self._read(Window(kept, cut=True, after=self.first), head):
                self.more = True
                return False
        return True

    async def finish(self, head: Response) -> None:
        """Read what is left when the body has ended, or broken off in time."""
        if self.page is None and self._sound and not self._is_no_text:
            await self._read(Window(bytes(self._buffer), cut=head.truncated, after=self.first), head)
            self.more = head.truncated

    @property
    def _is_no_text(self) -> bool:
        return self.first is not None and not self.first.charset

    async def _read(self, window: Window, head: Response) -> bool:
        """Read a window; tell whether nothing more is wanted. The time may run out meanwhile."""
        self._sound = False
        page = await self._reader.read(window, head, max(LEAST_FOR_READING, self._deadline - time.monotonic()))
        self._sound = True
        self.first = self.first or replace(page, text="", data=None)
        offset = self._start - self.next_index
        if not self._is_no_text:
            self.next_index += len(page.text)
            if offset < len(page.text):
                text = page.text[offset:]
                self.page = replace(page, text=text, data=text)
        return self.page is not None or self._is_no_text

"""The clocks of one response: the whole, its first content, the time between content."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

from chat.llm.errors import ProviderTimeoutError

T = TypeVar("T")
_FINISHED, _ENDED = 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """Seconds. `whole` bounds a response with all its attempts, `first_content` each attempt's time to its first word,
    `between_content` the silence after one; keep-alives count as silence. `after_finish` is how long usage is awaited
    once the model has finished, `after_end` the connection's own end.
    """

    connect: float = 10.0
    first_content: float = 180.0
    between_content: float = 60.0
    whole: float = 600.0
    after_finish: float = 5.0
    after_end: float = 0.25


class LateError(Exception):
    """Nothing more came after the end: no failure."""


class Watch:
    """The clocks of one attempt, running; `deadline` is the whole response's, in the loop's time."""

    def __init__(self, clocks: Clocks, deadline: float) -> None:
        self._clocks = clocks
        self._whole = deadline
        self._started = False
        self._stage = 0
        self._next = asyncio.get_running_loop().time() + clocks.first_content

    def content(self) -> None:
        """Content came: the silence begins anew."""
        if self._stage:
            return
        self._started = True
        self._next = self._now() + self._clocks.between_content

    def finished(self, *, ended: bool) -> None:
        """Nothing of the answer is missing any more; when it has `ended`, nothing more will come at all."""
        stage = _ENDED if ended else _FINISHED
        if stage > self._stage:
            self._stage = stage
            self._next = self._now() + (self._clocks.after_end if ended else self._clocks.after_finish)

    async def wait(self, step: Awaitable[T]) -> T:
        """Await one step of the stream; raises `ProviderTimeoutError`, or `LateError` once finished."""
        try:
            async with asyncio.timeout_at(min(self._whole, self._next)) as scope:
                return await step
        except TimeoutError:
            if not scope.expired():
                raise
        raise self._late()

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _late(self) -> Exception:
        if self._stage:
            return LateError()
        if self._now() >= self._whole:
            return ProviderTimeoutError(
                f"The model did not finish within {self._clocks.whole:g} seconds. Ask for less, or raise the limit.",
                reason="provider_timeout",
                retryable=False,
            )
        if self._started:
            return ProviderTimeoutError(
                f"The model fell silent for {self._clocks.between_content:g} seconds. Try again.",
                reason="provider_silent",
            )
        return ProviderTimeoutError(
            f"The model said nothing within {self._clocks.first_content:g} seconds. Try again, or raise the limit for "
            "a slow one.",
            reason="provider_no_answer",
        )

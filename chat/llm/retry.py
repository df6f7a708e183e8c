"""The one place where requests are repeated."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass

from chat.llm.errors import EmptyReplyError, ProviderError
from chat.llm.types import Retrying, StreamEvent

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Up to `attempts` requests; waits double from `base` to `most` seconds, each with a random part of up to half. A
    provider's own Retry-After goes before, and when it asks for more than `most_asked` nothing is repeated.
    """

    attempts: int = 4
    empty_replies: int = 1
    base: float = 0.5
    most: float = 20.0
    most_asked: float = 60.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random

    def delay(self, attempt: int, error: ProviderError) -> float | None:
        """Return the seconds to wait after this attempt (from 1), or none when it was the last."""
        if not error.retryable or attempt >= self.attempts:
            return None
        if isinstance(error, EmptyReplyError) and attempt > self.empty_replies:
            return None
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= self.most_asked else None
        longest = min(self.base * 2.0 ** (attempt - 1), self.most)
        return longest * (1 - self.chance() / 2)


async def persist(
    attempt: Callable[[], AsyncGenerator[StreamEvent, None]],
    policy: RetryPolicy,
    *,
    seconds_left: Callable[[], float],
) -> AsyncGenerator[StreamEvent, None]:
    """Stream an attempt; repeat it while it fails for a passing reason before its first event.

    A `Retrying` event tells of each repetition. What has shown anything is never repeated: its error is raised.
    """
    number = 1
    while True:
        shown = False
        try:
            async with aclosing(attempt()) as events:
                async for event in events:
                    shown = True
                    yield event
            return
        except ProviderError as error:
            delay = None if shown else policy.delay(number, error)
            if delay is None or delay >= seconds_left():
                raise
            failed = error
        number += 1
        logger.info("Attempt %d follows in %.1f s: %s", number, delay, failed.reason)
        yield Retrying(number, delay, failed.reason, failed.message)
        await policy.sleep(delay)

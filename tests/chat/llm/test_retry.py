from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from chat.llm.errors import BadKeyError, EmptyReplyError, OverloadedError, ProviderError, RateLimitedError
from chat.llm.retry import RetryPolicy, persist
from chat.llm.retry_after import read_retry_after
from chat.llm.types import Retrying, StreamEvent, TextDelta
from tests.fakes.llm import Naps

NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "-4"}, 0.0),
        ({"retry-after": "Fri, 15 Jan 2027 08:00:30 GMT"}, 30.0),
        ({"retry-after": "Fri, 15 Jan 2027 08:00:30"}, 30.0),
        ({"retry-after": "Fri, 15 Jan 2021 08:00:00 GMT"}, 0.0),
        ({"retry-after": "later"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "Fri, 99 Jan 2027 08:00:30 GMT"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_as_seconds_milliseconds_or_a_date(headers: dict[str, str], seconds: float | None) -> None:
    assert read_retry_after(headers, now=NOW) == seconds


def test_waits_double_up_to_a_bound_and_lose_up_to_half_by_chance() -> None:
    policy = RetryPolicy(attempts=10, base=1.0, most=5.0, chance=lambda: 0.0)
    error = OverloadedError("x")
    assert [policy.delay(attempt, error) for attempt in range(1, 6)] == [1.0, 2.0, 4.0, 5.0, 5.0]
    assert RetryPolicy(base=1.0, chance=lambda: 1.0).delay(1, error) == 0.5


@pytest.mark.parametrize(
    ("attempt", "error", "delay"),
    [
        (1, RateLimitedError("x", retry_after=7.0), 7.0),
        (1, RateLimitedError("x", retry_after=0.0), 0.0),
        (1, RateLimitedError("x", retry_after=61.0), None),
        (1, RateLimitedError("x", retry_after=float("inf")), None),
        (1, RateLimitedError("x", retryable=False), None),
        (1, BadKeyError("x"), None),
        (1, BadKeyError("x", retryable=True), 0.5),
        (4, OverloadedError("x"), None),
        (1, EmptyReplyError("x"), 0.5),
        (2, EmptyReplyError("x"), None),
    ],
)
def test_the_policy_obeys_the_provider_within_bounds(attempt: int, error: ProviderError, delay: float | None) -> None:
    assert RetryPolicy(chance=lambda: 0.0).delay(attempt, error) == delay


class Attempts:
    """Fails with each error in turn, after the events given, then succeeds."""

    def __init__(self, *failures: ProviderError, before: tuple[StreamEvent, ...] = ()) -> None:
        self.failures = list(failures)
        self.before = before
        self.made = 0

    async def __call__(self) -> AsyncGenerator[StreamEvent, None]:
        self.made += 1
        if self.failures:
            for event in self.before:
                yield event
            raise self.failures.pop(0)
        yield TextDelta("done")


async def stream(attempts: Attempts, naps: Naps, *, seconds_left: float = 600.0) -> list[StreamEvent]:
    policy = RetryPolicy(sleep=naps, chance=lambda: 0.0)
    return [event async for event in persist(attempts, policy, seconds_left=lambda: seconds_left)]


async def test_each_repetition_is_told_before_it_is_waited_for() -> None:
    naps = Naps()
    events = await stream(Attempts(OverloadedError("busy"), RateLimitedError("slow", retry_after=3.0)), naps)
    assert events == [
        Retrying(2, 0.5, "provider_failed", "busy"),
        Retrying(3, 3.0, "provider_rate_limited", "slow"),
        TextDelta("done"),
    ]
    assert naps.taken == [0.5, 3.0]


async def test_what_has_shown_anything_is_not_repeated() -> None:
    attempts = Attempts(OverloadedError("busy"), before=(TextDelta("half"),))
    with pytest.raises(OverloadedError):
        await stream(attempts, Naps())
    assert attempts.made == 1


async def test_the_last_error_is_raised_when_all_attempts_are_used() -> None:
    attempts = Attempts(*(OverloadedError(str(number)) for number in range(9)))
    with pytest.raises(OverloadedError, match="3"):
        await stream(attempts, Naps())
    assert attempts.made == 4


async def test_no_wait_outlasts_the_time_that_is_left() -> None:
    attempts, naps = Attempts(RateLimitedError("slow", retry_after=30.0)), Naps()
    with pytest.raises(RateLimitedError):
        await stream(attempts, naps, seconds_left=29.0)
    assert naps.taken == []

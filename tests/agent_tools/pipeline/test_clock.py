from __future__ import annotations

import asyncio

import pytest

from agent_tools.pipeline.clock import Clock


class Hands:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def hands() -> Hands:
    return Hands()


async def test_pauses_do_not_count_and_overlapping_ones_count_once(hands: Hands) -> None:
    clock = Clock(10, hands)
    hands.now = 1
    with clock.paused():
        hands.now = 5
        with clock.paused():
            hands.now = 6
        assert clock.elapsed == 1
        hands.now = 9
    hands.now = 10
    assert clock.elapsed == 2


async def test_a_stopped_clock_stays_as_it_is(hands: Hands) -> None:
    clock = Clock(10, hands)
    pause = clock.paused()
    hands.now = 2
    with pause:
        hands.now = 4
        clock.stop()
    hands.now = 9
    assert clock.milliseconds == 2000


async def test_the_limit_is_reached_after_the_pauses() -> None:
    clock = Clock(0.05)
    with clock.paused():
        expired = asyncio.ensure_future(clock.expired())
        await asyncio.sleep(0.1)
        assert not expired.done()
    await asyncio.wait_for(expired, 20)
    assert clock.elapsed >= 0.05

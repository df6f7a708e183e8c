"""Measures what the pipeline costs, and what running calls side by side and starting them early saves:
`python -m benchmarks.batches`.

Uses a database of its own in a temporary folder; nothing is left behind.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from agent_tools.contract.calls import ToolCall

CALLS = 8
SECONDS = 0.1
STREAMED = (0.4, 0.1, 0.1, 0.1)
"""Seconds that the calls of a response take, one after the other as the model writes them."""
PACE = 0.1
"""Seconds that the model takes to write one call."""


async def median_of(times: int, run: Callable[[], Awaitable[object]]) -> float:
    """Return the median duration in seconds, after one run that does not count."""
    await run()
    taken: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        await run()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


async def measure(times: int) -> None:
    """Print the median of each measurement over so many runs."""
    from tests.fakes.batches import call, make_tools, run

    await make_tools("echo", "sleeper")
    alone = await median_of(times, lambda: run(call("echo")))
    together = await median_of(times, lambda: run(*(call("echo", text=str(number)) for number in range(CALLS))))
    parallel = await median_of(times, lambda: run(*(_sleep(number, safe=True) for number in range(CALLS))))
    exclusive = await median_of(times, lambda: run(*(_sleep(number, safe=False) for number in range(CALLS))))
    print(f"one call that does nothing        {alone * 1_000:8.1f} ms")
    print(f"a batch of {CALLS} of them               {together * 1_000:8.1f} ms")
    print(f"{CALLS} calls of {SECONDS * 1_000:.0f} ms side by side    {parallel * 1_000:8.1f} ms")
    print(f"{CALLS} calls of {SECONDS * 1_000:.0f} ms one by one      {exclusive * 1_000:8.1f} ms")
    print(f"ratio                             {exclusive / parallel:8.1f}")
    late = await median_of(times, lambda: _response(early=False))
    early = await median_of(times, lambda: _response(early=True))
    print(f"{len(STREAMED)} calls of a response, run at its end {late * 1_000:7.1f} ms")
    print(f"the same, started as it streams   {early * 1_000:8.1f} ms")


async def _response(*, early: bool) -> None:
    """Write one call after the other, each sealed as the next one opens, the last by the response's end; run them."""
    from agent_tools.services.execution import EarlyStarts
    from tests.fakes.batches import run, scope

    calls = [_sleep(number, safe=True, seconds=seconds) for number, seconds in enumerate(STREAMED)]
    within = scope()
    starts = EarlyStarts(within) if early else None
    await asyncio.sleep(PACE)
    for call in calls[:-1]:
        if starts is not None:
            await starts.offer(call)
        await asyncio.sleep(PACE)
    await run(*calls, within=within, early=starts)


def _sleep(number: int, *, safe: bool, seconds: float = SECONDS) -> ToolCall:
    from tests.fakes.batches import call

    return call("sleeper", seconds=seconds, name=str(number), safe=safe)


def main() -> None:
    """Set the project up in a temporary folder and measure there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10, help="runs of each measurement (10)")
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATA_DIR"] = folder
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder) / 'db.sqlite3'}"
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        os.environ["LOG_LEVEL"] = "WARNING"
        import django

        django.setup()
        from django.core.management import call_command

        from tests.fakes.tool_types import known_types

        call_command("migrate", verbosity=0)
        with known_types():
            asyncio.run(measure(times))


if __name__ == "__main__":
    main()

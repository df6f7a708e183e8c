"""Parts a batch into groups: neighbours that are safe together run side by side, any other call runs alone."""

from __future__ import annotations

from collections.abc import Iterable

from agent_tools.pipeline.failures import Catching
from agent_tools.pipeline.running import Running


def partition(batch: Iterable[Running]) -> list[list[Running]]:
    """Return the calls that still have to run, in order, in groups: [read ∥ grep] [bash] [read] [write].

    A call that has ended already does not part its neighbours. Safety is asked for these very arguments; an executor
    that fails to answer ends its call.
    """
    groups: list[list[Running]] = []
    joins = False
    for running in batch:
        safe = _is_safe(running) if running.open else None
        if safe is None:
            continue
        if safe and joins:
            groups[-1].append(running)
        else:
            groups.append([running])
        joins = safe
    return groups


def _is_safe(running: Running) -> bool | None:
    """Return what the executor says, none where that ended the call; only what is safe is begun before its batch."""
    if running.begun:
        return True
    with Catching(running):
        bound, request = running.prepared()
        return bool(bound.executor.is_concurrency_safe(request.tool_input, bound.config))
    return None

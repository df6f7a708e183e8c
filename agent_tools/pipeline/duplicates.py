"""Second stage: the same call again, with the same answer as before, is not run any more."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections import Counter
from collections.abc import Sequence

from agent_tools.conf import conf
from agent_tools.contract.calls import Ran, Reason
from agent_tools.contract.result import UNCHANGED_OF, ToolResult
from agent_tools.pipeline.arguments import canonical
from agent_tools.pipeline.running import Running
from agent_tools.text.scrub import lenient_json

Key = tuple[str, str]
NOT_THE_CALLS_OWN = frozenset({Reason.REPEATED, Reason.NOT_STARTED, Reason.SIBLING_FAILED, Reason.CANCELLED})
"""Endings that say nothing of the call: the pipeline's own refusal, and what others brought about."""


class CallMemory:
    """What was called in one turn, and what it gave: per call (slug and canonical arguments) the digests of its
    results, in order.

    Only a call's own history counts, whatever was called in between, so that alternating pairs are found like plain
    repetition. A changed result starts the count anew.
    """

    def __init__(self) -> None:
        self._results: dict[Key, list[str]] = {}
        self._by_call: dict[str, str] = {}

    def equal_results(self, key: Key) -> int:
        """Return how many of the last calls of this kind gave one and the same result."""
        results = self._results.get(key, [])
        count = 0
        while count < len(results) and results[-1 - count] == results[-1]:
            count += 1
        return count

    def remember(self, key: Key, call_id: uuid.UUID, result: ToolResult) -> None:
        """Add a result. One whose metadata hold `unchanged_of` (the id of the call that gave the original) counts as
        that original; where the id is unknown, as the last result of the same call.
        """
        before = self._results.setdefault(key, [])
        original = result.metadata.get(UNCHANGED_OF)
        digest = digest_of(result)
        if original:
            digest = self._by_call.get(str(original), before[-1] if before else digest)
        before.append(digest)
        self._by_call[str(call_id)] = digest

    def absorb(self, other: CallMemory) -> None:
        """Add what another memory holds, as if it had happened after what this one holds."""
        for key, results in other._results.items():
            self._results.setdefault(key, []).extend(results)
        self._by_call.update(other._by_call)


def digest_of(result: ToolResult) -> str:
    """Return the SHA-256 of what a model sees of a tool's own result."""
    content = result.content or json.dumps(lenient_json(result.data).value, sort_keys=True)
    shown = (str(result.success), result.reason, content, result.error or "")
    return hashlib.sha256("\0".join(shown).encode("utf-8", "surrogatepass")).hexdigest()


def key_of(running: Running) -> Key:
    """Return what makes calls equal. Arguments that could not be read are compared as they came."""
    sent = running.sent
    return running.slug, canonical(sent) if isinstance(sent, dict) else str(sent)


def refuse_repeats(batch: Sequence[Running], memory: CallMemory) -> None:
    """End the calls that would be the third (a setting) of their kind with one result.

    Equal calls of one batch count as if they gave equal results, since whoever made them had seen none; not so for a
    pollable tool, where only answers that are known to be unchanged count.
    """
    threshold = conf.duplicate_threshold
    in_batch: Counter[Key] = Counter()
    for running in batch:
        key = key_of(running)
        pollable = running.bound is not None and running.bound.executor.pollable
        count = memory.equal_results(key) + (0 if pollable else in_batch[key])
        in_batch[key] += 1
        if count >= threshold - 1:
            running.result = _refusal(count)


def remember(running: Running, memory: CallMemory) -> None:
    """Note how the call ended, unless that was not the call's own doing."""
    result = running.ended()
    if result.reason not in NOT_THE_CALLS_OWN:
        memory.remember(key_of(running), running.call.id, result)


def _refusal(count: int) -> ToolResult:
    return ToolResult.failed(
        f"Not run: the same call was already made {count} times in this turn, with the same result each time. "
        "Use that result, change the arguments, or go on in another way.",
        reason=Reason.REPEATED,
        ran=Ran.NO,
    )

"""May this call run? Judged as it was sent and as hooks left it; the stricter word counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from agent_tools.contract.calls import CallStatus, Ran, Reason
from agent_tools.contract.permissions import Action, Source, Verdict, combine
from agent_tools.contract.result import ToolResult
from agent_tools.models import PermissionRule
from agent_tools.pipeline.contexts import context_of
from agent_tools.pipeline.rules import verdicts_of
from agent_tools.pipeline.running import Judgement, Running

STRICTNESS = {Action.ALLOW: 0, Action.ASK: 1, Action.DENY: 2}


@dataclass(slots=True)
class Law:
    """What operators ruled, and what the person granted for this session; grants given meanwhile are added."""

    rules: Sequence[PermissionRule] = ()
    granted: set[str] = field(default_factory=set)


def judge_as_sent(running: Running, law: Law) -> None:
    """Judge the caller's own arguments. A deny ends the call at once; an ask waits until hooks have had their say."""
    if running.open:
        running.judgement = _judgement(_verdicts(running, law))
        _end_if_denied(running)


def judge_as_final(running: Running, law: Law) -> None:
    """Judge the arguments that would run, together with what hooks demand."""
    if running.open and (running.rewritten_by or running.asks):
        final = _judgement([*_verdicts(running, law), *running.asks])
        running.judgement = _stricter(running.judgement, final)
        _end_if_denied(running)


def _verdicts(running: Running, law: Law) -> list[Verdict]:
    """Collect what tool, rules and grant say; a tool cannot pass its word off as an operator's."""
    bound, request = running.prepared()
    own = bound.executor.permissions(request.tool_input, bound.config, context_of(running))
    granted = [Verdict(Action.ALLOW, "", Source.GRANT)] if running.slug in law.granted else []
    return [
        *(replace(verdict, source=Source.TOOL) for verdict in own),
        *verdicts_of(law.rules, running.slug, request),
        *granted,
    ]


def _judgement(verdicts: Sequence[Verdict]) -> Judgement:
    counts = combine(verdicts)
    asks = (verdict.reason for verdict in verdicts if verdict.action is Action.ASK)
    return Judgement(counts, _distinct(asks) if counts.action is Action.ASK else ())


def _stricter(sent: Judgement, final: Judgement) -> Judgement:
    strictest = max(sent.verdict, final.verdict, key=lambda verdict: STRICTNESS[verdict.action])
    return Judgement(strictest, _distinct([*sent.reasons, *final.reasons]))


def _distinct(reasons: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reason for reason in reasons if reason))


def _end_if_denied(running: Running) -> None:
    verdict = running.judgement.verdict
    if verdict.action is not Action.DENY:
        return
    running.result = ToolResult.failed(
        f"Not run: it is not allowed. {verdict.reason}".rstrip(),
        reason=Reason.RULE,
        status=CallStatus.DENIED,
        metadata={"denied_by": verdict.source.value, "rule": verdict.name},
        ran=Ran.NO,
    )

"""Asks the person for the permission that a call needs, once, for exactly the arguments that would run."""

from __future__ import annotations

import asyncio

from agent_tools.conf import conf
from agent_tools.contract.calls import CallStatus, Ran, Reason
from agent_tools.contract.errors import UnavailableError
from agent_tools.contract.permissions import Action, Decision, PermissionAnswer, PermissionRequest
from agent_tools.contract.result import ToolResult
from agent_tools.models import Grant
from agent_tools.pipeline.arguments import digest
from agent_tools.pipeline.database import in_database
from agent_tools.pipeline.failures import Logging
from agent_tools.pipeline.permissions import Law
from agent_tools.pipeline.running import Running
from agent_tools.text.masking import mask_json

TRIES = 2
"""How often a person is asked when the answer turns out to be for other arguments."""
PATIENCE = 5.0
"""Seconds beyond the person's own that an asker may take."""


async def ask_where_needed(running: Running, law: Law) -> None:
    """Wait for the person where the judgement says `ask`, and end the call unless it is allowed.

    An operator's ticked confirmation is an allow once. Where nobody can be asked the call is refused.
    """
    if not running.open or running.judgement.verdict.action is not Action.ASK or running.scope.confirmed:
        return
    if running.scope.silent or not running.scope.ports.can_ask:
        running.result = _nobody(running)
        return
    try:
        answer = await _answer(running)
    except UnavailableError:
        running.result = _nobody(running)
    else:
        await _obey(running, law, answer)


async def _answer(running: Running) -> PermissionAnswer:
    """Return the person's answer; one for other arguments does not count, and the person is asked again."""
    _bound, request = running.prepared()
    question = PermissionRequest(
        call_id=running.call.id,
        slug=running.slug,
        arguments=mask_json(request.arguments),
        arguments_hash=digest(request.arguments),
        reasons=running.judgement.reasons,
        timeout=conf.permission_timeout,
    )
    expired = PermissionAnswer(decision=Decision.EXPIRED, arguments_hash=question.arguments_hash)
    for _ in range(TRIES):
        try:
            async with asyncio.timeout(question.timeout + PATIENCE):
                answer = await running.scope.ports.asker.permission(question)
        except TimeoutError:
            return expired
        if answer.arguments_hash == question.arguments_hash or answer.decision in {
            Decision.EXPIRED,
            Decision.CANCELLED,
        }:
            return answer
    return expired


async def _obey(running: Running, law: Law, answer: PermissionAnswer) -> None:
    match answer.decision:
        case Decision.ALLOW_ONCE:
            return
        case Decision.ALLOW_ALWAYS:
            law.granted.add(running.slug)
            with Logging(f"The grant of {running.slug!r} could not be kept"):
                await in_database(_keep_grant, running)
        case Decision.DENY:
            reason = f" The person said: {answer.reason}" if answer.reason else ""
            running.result = _refused(f"Not run: the person did not allow it.{reason}", Reason.PERSON)
        case Decision.EXPIRED:
            running.result = _refused("Not run: nobody allowed it in time.", Reason.EXPIRED)
        case _:
            running.result = _refused(
                "Not run: the request for permission was withdrawn.", Reason.CANCELLED, CallStatus.CANCELLED
            )


def _keep_grant(running: Running) -> None:
    Grant.objects.get_or_create(
        session_id=running.scope.session_id, tool_slug=running.slug, defaults={"user_id": running.scope.user_id}
    )


def _nobody(running: Running) -> ToolResult:
    why = " ".join(running.judgement.reasons)
    return _refused(
        f"Not run: this call needs a person's permission, and nobody can be asked here. {why}".rstrip(),
        Reason.NOBODY_TO_ASK,
    )


def _refused(sentence: str, reason: Reason, status: CallStatus = CallStatus.DENIED) -> ToolResult:
    return ToolResult.failed(sentence, reason=reason, status=status, ran=Ran.NO)

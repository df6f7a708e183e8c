"""The loop of a turn: ask the model, run the calls it wants, again, until it answers or a limit is reached."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from agent_tools.services.execution import EarlyStarts
from chat.conf import conf
from chat.database import in_database
from chat.models import Conversation, Message, Role, Turn, TurnReason
from chat.services import steps
from chat.services.endings import finish
from chat.services.errors import LimitError
from chat.services.limits import check_daily_tokens
from chat.services.steps import CallAnswer
from chat.turn import batch
from chat.turn.step import respond
from chat.turn.work import EndedError, Work

NO_WORDS = "(The limit of {limit} rounds of tool calls was reached before the model wrote an answer.)"
LIMIT_NOTICE = (
    "(The limit of {limit} rounds of calls in one turn is reached. Call no more tools: answer now with what you have, "
    "and say what is missing.)"
)


async def run_loop(work: Work, pending: Message | None) -> None:
    """Go on with a turn, first with the `pending` response whose calls lack answers. When this returns the turn has
    ended in the database with an answer; raises what `respond` raises.
    """
    limit = conf.max_steps
    taken_over = pending is not None
    early: EarlyStarts | None = None
    while True:
        if pending is not None:
            if pending.step > limit:
                await _close(work, pending, limit, taken_over=taken_over)
                return
            notice = LIMIT_NOTICE.format(limit=limit) if pending.step == limit else ""
            await batch.run(work, pending, early=early, taken_over=taken_over, notice=notice)
        taken_over = False
        work.check()
        await _check_limits(work)
        work.step += 1
        closing = work.step > limit
        reason = TurnReason.STEP_LIMIT if closing else TurnReason.COMPLETED
        pending, early = await respond(work, closing=closing, settle=partial(_end_if_answered, reason=reason))
        if not pending.calls:
            return


async def _check_limits(work: Work) -> None:
    if not conf.daily_tokens:
        return
    try:
        await in_database(check_daily_tokens, work.user_id)
    except LimitError as error:
        raise EndedError(TurnReason.BUDGET, error.reason, error.message) from error


def _end_if_answered(conversation: Conversation, turn: Turn, message: Message, *, reason: TurnReason) -> None:
    if not message.calls:
        finish(conversation, turn, reason)


async def _close(work: Work, message: Message, limit: int, *, taken_over: bool) -> None:
    """End the turn at its last response, whose calls are not run; the answer is always one in words."""
    answers = await batch.refuse(work, message, limit, taken_over=taken_over)
    await work.recorder.record(write=partial(_store_close, message=message, answers=answers, limit=limit))


def _store_close(
    conversation: Conversation, turn: Turn, *, message: Message, answers: Sequence[CallAnswer], limit: int
) -> None:
    steps.answer_calls(conversation, turn, message.step, answers)
    if not message.content.strip():
        words = NO_WORDS.format(limit=limit)
        steps.add_message(conversation, turn, step=message.step, role=Role.ASSISTANT, content=words)
    finish(conversation, turn, TurnReason.STEP_LIMIT)

"""Tries a provider with a few small requests, and learns what it takes on the way."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from time import monotonic
from typing import Final

from django.utils.translation import gettext as _

from agent_tools.contract.definition import ToolDefinition
from agent_tools.contract.errors import InvalidInputError
from chat.llm.clocks import Clocks
from chat.llm.errors import ProviderError, ProviderTimeoutError
from chat.llm.model import LanguageModel
from chat.llm.profile import Profile
from chat.llm.retry import RetryPolicy
from chat.llm.types import HistoryCall, Message, Request, Response, Role, TextDelta, ThinkingDelta
from chat.models import Backend, ChatModel
from chat.services import provider_verdicts as verdicts
from chat.services.models import connect, origin_of
from chat.services.provider_verdicts import ADDRESS, CALLED, Check, CheckName, Exchange, Verdict
from chat.services.provider_words import words_of_row

SECONDS: Final = 20.0
"""How long each request may take."""
_GRACE: Final = 2.0
_SYSTEM: Final = Message(role=Role.SYSTEM, content="You are being tested. Follow the request exactly and be brief.")
_TOOL: Final = ToolDefinition(
    name=CALLED,
    description="Fetch a web page and return its text.",
    parameters={
        "type": "object",
        "properties": {"url": {"type": "string", "description": "The address of the page."}},
        "required": ["url"],
        "additionalProperties": False,
    },
)
_FETCH: Final = f"Use the tool to fetch {ADDRESS} and then tell me the page's title."
_PAGE: Final = "Title: Example Domain\n\nThis domain is for use in examples in documents."


@dataclass(frozen=True, slots=True)
class Report:
    """All checks in order, and what is known of the model now."""

    checks: tuple[Check, ...]
    profile: Profile

    @property
    def failed(self) -> int:
        return sum(check.verdict is Verdict.FAILED for check in self.checks)

    @property
    def noted(self) -> int:
        return sum(check.verdict is Verdict.NOTED for check in self.checks)


async def check_provider(row: ChatModel, *, seconds: float = SECONDS) -> Report:
    """Check a model with at most four requests, one after the other, each of which ends after `seconds`.

    Nothing is stored: the caller keeps the report's profile. What goes wrong is told by the checks, never raised.
    """
    clocks = Clocks(
        connect=min(seconds, Clocks().connect), first_content=seconds, between_content=seconds, whole=seconds
    )
    known = Profile.from_json(row.profile)
    hopeful = _hopeful(known)
    try:
        model = connect(row, profile=hopeful, clocks=clocks, retries=RetryPolicy(attempts=1))
    except InvalidInputError as error:
        words = words_of_row(error, row.key_variable)
        first = Check(CheckName.REACH, Verdict.FAILED, words.told, words.advice)
        return Report(_in_order([first, *_not_tried(row)]), known)
    async with model:
        checks = [check async for check in _checks(row, model, seconds)]
        answered = any(check.name is CheckName.USAGE and check.verdict is not Verdict.SKIPPED for check in checks)
        return Report(_in_order(checks), model.profile if answered else known)


def _hopeful(known: Profile) -> Profile:
    """Return the profile less what these checks learn again: the server may take more than when it was learned."""
    usual = Profile()
    return replace(
        known,
        tools=usual.tools,
        system=usual.system,
        refused=usual.refused,
        schema=usual.schema,
        empty_content=usual.empty_content,
    )


def _in_order(checks: Iterable[Check]) -> tuple[Check, ...]:
    order = list(CheckName)
    return tuple(sorted(checks, key=lambda check: order.index(check.name)))


async def _checks(row: ChatModel, model: LanguageModel, seconds: float) -> AsyncIterator[Check]:
    count = Message(role=Role.USER, content="Say hello, then count from one to twelve in words.")
    first = await _exchange(model, Request(messages=(_SYSTEM, count)), seconds)
    reached = verdicts.reach(first, with_key=bool(row.key_variable), offline=row.backend == Backend.OFFLINE)
    yield reached
    if reached.verdict is Verdict.FAILED:
        for check in _not_tried(row):
            yield check
        return
    yield verdicts.stream(first, model.profile)
    yield verdicts.usage(first)
    if row.can_use_tools:
        called = await _exchange(model, Request(messages=(_SYSTEM, _user(_FETCH)), tools=(_TOOL,)), seconds)
        yield verdicts.tools(called, model.profile)
        closing = Request(messages=_answered(called.response, origin_of(row)), tools=(_TOOL,), tool_choice="none")
        yield verdicts.no_tools(await _exchange(model, closing, seconds), model.profile)
    if row.can_think:
        wondered = Request(messages=(_SYSTEM, _user("What is 17 times 23? Think it through.")), thinking=True)
        yield verdicts.thinking(await _exchange(model, wondered, seconds), thinks_anyway=first.thought)
    for check in _switched_off(row):
        yield check


def _not_tried(row: ChatModel) -> list[Check]:
    off = _switched_off(row)
    why = _("Not tried: the first request failed.")
    known = {CheckName.REACH, *(check.name for check in off)}
    return [*(verdicts.skipped(name, why) for name in CheckName if name not in known), *off]


def _switched_off(row: ChatModel) -> list[Check]:
    found = []
    if not row.can_use_tools:
        why = _("This model is not offered tools here.")
        found += [verdicts.skipped(CheckName.TOOLS, why), verdicts.skipped(CheckName.NO_TOOLS, why)]
    if not row.can_think:
        found.append(verdicts.skipped(CheckName.THINKING, _("This model is not asked to think here.")))
    return found


async def _exchange(model: LanguageModel, request: Request, seconds: float) -> Exchange:
    """Make one request; what is wrong is part of what is returned."""
    seen, begun = Exchange(), monotonic()
    try:
        async with asyncio.timeout(seconds + _GRACE):
            await _read(model, request, seen, begun)
    except ProviderError as error:
        seen.error = error
    except TimeoutError:
        seen.error = ProviderTimeoutError("The model did not finish in time.", reason="provider_timeout")
    seen.seconds = monotonic() - begun
    return seen


async def _read(model: LanguageModel, request: Request, seen: Exchange, begun: float) -> None:
    async with aclosing(model.stream(request)) as events:
        async for event in events:
            if seen.first is None:
                seen.first = monotonic() - begun
            match event:
                case TextDelta(text):
                    seen.pieces += 1
                    seen.text.append(text)
                case ThinkingDelta():
                    seen.thought = True
                case Response():
                    seen.response = event
                case _:
                    pass


def _user(words: str) -> Message:
    return Message(role=Role.USER, content=words)


def _answered(response: Response | None, origin: str) -> Sequence[Message]:
    """Return the history in which the tool was called, by the model itself where it did so, and has answered."""
    called: Message | None = None
    if response is not None and response.calls:
        called = response.as_message([str(uuid.uuid4()) for _call in response.calls], origin=origin)
    if called is None:
        made_up = HistoryCall(id=str(uuid.uuid4()), name=CALLED, arguments=f'{{"url": "{ADDRESS}"}}')
        called = Message(role=Role.ASSISTANT, calls=(made_up,))
    results = [Message(role=Role.TOOL, call_id=call.id, content=_PAGE) for call in called.calls]
    return (_SYSTEM, _user(_FETCH), called, *results)

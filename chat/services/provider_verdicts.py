"""Judges what a provider did with a small request: what works, what does not, and what to do."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.llm.errors import EmptyReplyError, ProviderError, ProviderTimeoutError
from chat.llm.profile import Profile
from chat.llm.types import Response
from chat.services.provider_words import words_of

CALLED = "fetch"
ADDRESS = "https://example.org/"
_CALL_AS_TEXT = ("<tool_call", "<function", "[TOOL_CALLS]", "<|python_tag|>", f'"name": "{CALLED}"')


class Verdict(StrEnum):
    """How a check went; something `noted` works, and differs from what is usual."""

    PASSED = "passed"
    NOTED = "noted"
    FAILED = "failed"
    SKIPPED = "skipped"


class CheckName(StrEnum):
    """What is checked."""

    REACH = "reach"
    STREAM = "stream"
    USAGE = "usage"
    TOOLS = "tools"
    NO_TOOLS = "no_tools"
    THINKING = "thinking"

    @property
    def label(self) -> str:
        return {
            CheckName.REACH: _("Reachable, key accepted"),
            CheckName.STREAM: _("Streams text"),
            CheckName.USAGE: _("Reports tokens used"),
            CheckName.TOOLS: _("Calls a tool when offered one"),
            CheckName.NO_TOOLS: _("Reads results, and obeys tool_choice “none”"),
            CheckName.THINKING: _("Thinks when asked to"),
        }[self]


@dataclass(frozen=True, slots=True)
class Check:
    """One check: how it went in plain words, what to do, and how long it took in seconds; none without a request."""

    name: CheckName
    verdict: Verdict
    told: str
    advice: str = ""
    seconds: float | None = None


@dataclass(slots=True)
class Exchange:
    """One request and what came of it; times are in seconds from its beginning."""

    pieces: int = 0
    text: list[str] = field(default_factory=list)
    thought: bool = False
    first: float | None = None
    seconds: float = 0.0
    response: Response | None = None
    error: ProviderError | None = None

    @property
    def late(self) -> bool:
        """Tell whether the time ran out while the answer was coming."""
        return isinstance(self.error, ProviderTimeoutError) and self.first is not None


def reach(exchange: Exchange, *, with_key: bool, offline: bool = False) -> Check:
    """Judge whether the provider answers at all."""
    error = exchange.error
    if error is not None and exchange.first is None and not isinstance(error, EmptyReplyError):
        return _failed(CheckName.REACH, exchange, error)
    after = exchange.seconds if exchange.first is None else exchange.first
    if offline:
        told = _("It is built in: there is no server and no key.")
    elif with_key:
        told = _("The server answers and takes the key.")
    else:
        told = _("The server answers; no key was sent.")
    return Check(CheckName.REACH, Verdict.PASSED, told, seconds=after)


def stream(exchange: Exchange, profile: Profile) -> Check:
    """Judge whether text comes piece by piece."""
    facts = {"first": f"{exchange.first or 0:.1f}", "pieces": exchange.pieces}
    if exchange.late:
        told = _("The first words came after %(first)s s; the answer was not finished in time.") % facts
        return Check(CheckName.STREAM, Verdict.NOTED, told, _slow(), exchange.seconds)
    if exchange.error is not None:
        return _failed(CheckName.STREAM, exchange, exchange.error)
    if "stream" in profile.refused or exchange.pieces <= 1:
        told = _("The answer came in one piece.")
        advice = _("It works, but people see nothing before the whole answer is there. Look for a proxy that buffers.")
        return Check(CheckName.STREAM, Verdict.NOTED, told, advice, exchange.seconds)
    told = ngettext(
        "The first words came after %(first)s s, %(pieces)d piece in all.",
        "The first words came after %(first)s s, %(pieces)d pieces in all.",
        exchange.pieces,
    )
    return Check(CheckName.STREAM, Verdict.PASSED, told % facts, seconds=exchange.seconds)


def usage(exchange: Exchange) -> Check:
    """Judge whether tokens are reported."""
    if exchange.response is None:
        return skipped(CheckName.USAGE, _("The answer did not come to its end."))
    used = exchange.response.usage
    if used.estimated:
        told = _("The provider does not say how many tokens were used.")
        return Check(CheckName.USAGE, Verdict.NOTED, told, _("Tokens and costs are estimated, and marked so."))
    told = _("%(input)d tokens read, %(output)d written.") % {"input": used.input_tokens, "output": used.output_tokens}
    return Check(CheckName.USAGE, Verdict.PASSED, told)


def tools(exchange: Exchange, profile: Profile) -> Check:
    """Judge whether the model called the tool that it was asked to call."""
    parser = _("vLLM needs --enable-auto-tool-choice and --tool-call-parser, llama.cpp --jinja.")
    untick = _("Otherwise untick “can use tools”.")
    if exchange.error is not None:
        return _failed(CheckName.TOOLS, exchange, exchange.error)
    if not profile.tools:
        told = _("The provider refuses requests with tools.")
        return Check(CheckName.TOOLS, Verdict.FAILED, told, f"{parser} {untick}", exchange.seconds)
    calls = exchange.response.calls if exchange.response else ()
    if any(call.complete and call.name == CALLED and _asked_for(call.arguments) for call in calls):
        return Check(
            CheckName.TOOLS, Verdict.PASSED, _("It called the tool with the right arguments."), "", exchange.seconds
        )
    if calls:
        told = _("It called something, but not what it was asked to.")
        advice = _("A larger model, or one made for tools, does better. %(untick)s") % {"untick": untick}
        return Check(CheckName.TOOLS, Verdict.NOTED, told, advice, exchange.seconds)
    if any(mark in "".join(exchange.text) for mark in _CALL_AS_TEXT):
        told = _("It wrote its call as text, which the server did not recognise.")
        return Check(CheckName.TOOLS, Verdict.FAILED, told, f"{parser} {untick}", exchange.seconds)
    told = _("It answered in words instead of calling the tool.")
    advice = _("Try again: small models do not always call. %(untick)s") % {"untick": untick}
    return Check(CheckName.TOOLS, Verdict.FAILED, told, advice, exchange.seconds)


def no_tools(exchange: Exchange, profile: Profile) -> Check:
    """Judge whether the model read a result and answered in words when told to call nothing."""
    if exchange.late:
        return Check(
            CheckName.NO_TOOLS, Verdict.NOTED, _("It answers, but was not finished in time."), _slow(), exchange.seconds
        )
    if exchange.error is not None:
        return _failed(CheckName.NO_TOOLS, exchange, exchange.error)
    if exchange.response is not None and exchange.response.calls:
        told = _("It calls tools although it is told not to.")
        advice = _("A turn still ends: what it calls at the step limit is refused, and its words are kept.")
        return Check(CheckName.NO_TOOLS, Verdict.NOTED, told, advice, exchange.seconds)
    if "tool_choice" in profile.refused:
        told = _("It answered in words; the provider does not take tool_choice, which is left out.")
        return Check(CheckName.NO_TOOLS, Verdict.NOTED, told, "", exchange.seconds)
    return Check(
        CheckName.NO_TOOLS, Verdict.PASSED, _("It read the result and answered in words."), "", exchange.seconds
    )


def thinking(exchange: Exchange, *, thinks_anyway: bool) -> Check:
    """Judge whether thinking can be switched; `thinks_anyway` tells that it thought with thinking off."""
    if exchange.error is not None and not (exchange.late and exchange.thought):
        return _failed(CheckName.THINKING, exchange, exchange.error)
    hidden = exchange.response.usage.reasoning_tokens if exchange.response else 0
    if exchange.thought and thinks_anyway:
        told = _("It thinks, with thinking off as well.")
        advice = _(
            "Say how thinking is switched off under “extra parameters without thinking”, as in "
            '{"chat_template_kwargs": {"enable_thinking": false}} for vLLM and llama.cpp.'
        )
        return Check(CheckName.THINKING, Verdict.NOTED, told, advice, exchange.seconds)
    if exchange.thought:
        return Check(CheckName.THINKING, Verdict.PASSED, _("It shows its thinking."), "", exchange.seconds)
    if hidden:
        told = _("It thought (%(count)d tokens); the provider does not show what.") % {"count": hidden}
        return Check(CheckName.THINKING, Verdict.PASSED, told, "", exchange.seconds)
    told = _("No thinking came.")
    advice = _("Say how thinking is switched on under “extra parameters with thinking”, or untick “can think”.")
    return Check(CheckName.THINKING, Verdict.FAILED, told, advice, exchange.seconds)


def skipped(name: CheckName, why: str) -> Check:
    """Return a check that was not made."""
    return Check(name, Verdict.SKIPPED, why)


def _failed(name: CheckName, exchange: Exchange, error: ProviderError) -> Check:
    words = words_of(error)
    return Check(name, Verdict.FAILED, words.told, words.advice, exchange.seconds)


def _slow() -> str:
    return _("It works, but slowly: people wait long for answers.")


def _asked_for(arguments: str) -> bool:
    try:
        given = json.loads(arguments)
    except ValueError:
        return False
    return isinstance(given, dict) and str(given.get("url", "")).rstrip("/") == ADDRESS.rstrip("/")

from __future__ import annotations

import pytest

from chat.llm.profile import Echo, Profile
from chat.models import Backend
from chat.services.provider_checks import check_provider
from chat.services.provider_verdicts import CheckName, Verdict
from tests.fakes import model_script as says
from tests.fakes.model_connection import Recorded
from tests.fakes.model_script import Reply, answer, calls, reply, status, text, thinking, tool_call
from tests.fakes.model_server import ModelServer
from tests.fakes.providers import ADDRESS, checked, good, of, row, verdicts
from tests.fakes.strict_provider import GEMINI_SCHEMA, Strict

P, N, F, S = Verdict.PASSED, Verdict.NOTED, Verdict.FAILED, Verdict.SKIPPED


async def test_a_good_provider_passes_with_four_requests() -> None:
    async with ModelServer(strict=Strict()) as server:
        server.respond = good
        model = row(server, can_think=True, thinking_extra={"think": True}, plain_extra={"think": False})
        report = await check_provider(model)
        assert verdicts(report) == [P, P, P, P, P, P]
        assert [body.get("think") for body in server.bodies] == [False, False, False, True]
        assert not server.refused
    assert (report.failed, report.noted, report.profile.as_json()) == (0, 0, {"reasoning_field": "reasoning_content"})


async def test_what_is_switched_off_is_not_tried() -> None:
    report = await checked(can_use_tools=False)
    assert verdicts(report) == [P, P, P, S, S, S]


async def test_the_built_in_model_passes_without_a_network() -> None:
    report = await check_provider(row(backend=Backend.OFFLINE, base_url="", model_id="", can_think=True))
    assert verdicts(report)[:2] == [P, P]
    assert report.failed == 0


@pytest.mark.parametrize(
    "strict",
    [
        Strict(content_null=False),
        Strict(system=False),
        Strict(refused_parameters=frozenset({"stream_options", "seed"})),
        Strict(schema_keywords=GEMINI_SCHEMA),
        Strict(id_pattern=r"[a-zA-Z0-9]{9}"),
        Strict(reasoning="demanded_with_calls"),
    ],
)
async def test_a_strict_provider_passes_and_is_learned(strict: Strict) -> None:
    report = await checked(strict=strict, extra={"seed": 1})
    assert report.failed == 0
    assert report.profile != Profile()


async def test_a_mended_server_is_seen_again_and_the_rest_of_what_is_known_stays() -> None:
    known = Profile(tools=False, system=False, echo=Echo.DEMANDED, refused=frozenset({"stream_options"}))
    report = await checked(profile=known.as_json())
    assert verdicts(report)[3:5] == [P, P]
    assert report.profile == Profile(echo=Echo.DEMANDED)


async def test_nothing_known_is_lost_while_a_server_is_down() -> None:
    known = Profile(tools=False, echo=Echo.DEMANDED)
    report = await check_provider(row(profile=known.as_json()))
    assert (report.failed, report.profile) == (1, known)


async def test_a_refusal_of_tools_is_told_with_its_remedy() -> None:
    report = await checked(strict=Strict(tools=False))
    assert verdicts(report)[3] is F
    assert "--enable-auto-tool-choice" in of(report, CheckName.TOOLS)
    assert not report.profile.tools


@pytest.mark.parametrize(
    ("reply_to_tools", "verdict", "words"),
    [
        (answer("I cannot browse."), F, "in words instead of calling"),
        (answer('<tool_call>{"name": "fetch"}</tool_call>'), F, "wrote its call as text"),
        (calls(tool_call("fetch", {"url": "https://example.com/other"})), N, "not what it was asked to"),
        (calls(tool_call("fetch", '{"url": ')), N, "not what it was asked to"),
        (calls(tool_call("search", ADDRESS)), N, "not what it was asked to"),
        (status(500), F, "failed or is overloaded"),
    ],
)
async def test_calls_are_judged_by_what_was_asked(reply_to_tools: Reply, verdict: Verdict, words: str) -> None:
    def respond(request: Recorded) -> Reply:
        first = "tools" in request.body and "tool_choice" not in request.body
        return reply_to_tools if first else good(request)

    report = await checked(respond)
    assert verdicts(report) == [P, P, P, verdict, P, S]
    assert words in of(report, CheckName.TOOLS)


async def test_a_model_that_calls_although_it_must_not_is_noted() -> None:
    def respond(request: Recorded) -> Reply:
        return calls(tool_call("fetch", ADDRESS)) if "tools" in request.body else good(request)

    report = await checked(respond)
    assert verdicts(report)[3:5] == [P, N]
    assert "although it is told not to" in of(report, CheckName.NO_TOOLS)


async def test_a_provider_without_tool_choice_is_noted() -> None:
    report = await checked(strict=Strict(refused_parameters=frozenset({"tool_choice"})))
    assert verdicts(report)[4] is N
    assert report.profile.refused == {"tool_choice"}


async def test_an_answer_in_one_piece_and_without_usage_is_noted() -> None:
    def respond(request: Recorded) -> Reply:
        return reply(text("Hello."), says.finish(), says.done())

    report = await checked(respond, can_use_tools=False)
    assert verdicts(report)[:3] == [P, N, N]
    assert "estimated" in of(report, CheckName.USAGE)


@pytest.mark.parametrize(
    ("on", "off", "verdict", "words"),
    [(True, True, N, "with thinking off as well"), (False, False, F, "No thinking came"), (True, False, P, "shows")],
)
async def test_thinking_is_judged_by_its_switch(on: bool, off: bool, verdict: Verdict, words: str) -> None:
    def respond(request: Recorded) -> Reply:
        thinks = on if request.body.get("think") else off
        return reply(
            *([thinking("Hm so")] if thinks else []), text("It is so"), says.finish(), says.usage(), says.done()
        )

    report = await checked(respond, can_use_tools=False, can_think=True, thinking_extra={"think": True})
    assert verdicts(report)[5] is verdict
    assert words in of(report, CheckName.THINKING)


async def test_hidden_thinking_counts_by_its_tokens() -> None:
    used = {"prompt_tokens": 5, "completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 7}}

    def respond(request: Recorded) -> Reply:
        return reply(text("It is so"), says.finish(), [says.chunk(choices=[], usage=used)], says.done())

    report = await checked(respond, can_use_tools=False, can_think=True)
    assert "It thought (7 tokens)" in of(report, CheckName.THINKING)

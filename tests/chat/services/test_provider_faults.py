from __future__ import annotations

import time
from typing import Any

import pytest

from chat.services.provider_checks import check_provider
from chat.services.provider_verdicts import CheckName, Verdict
from tests.fakes import model_script as says
from tests.fakes.model_connection import Recorded
from tests.fakes.model_script import Reply, fault, reply, status, text
from tests.fakes.model_server import ModelServer
from tests.fakes.providers import always, checked, good, of, row, verdicts

P, N, F, S = Verdict.PASSED, Verdict.NOTED, Verdict.FAILED, Verdict.SKIPPED


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (status(401, {"error": {"message": "bad key"}}), "does not accept the key. It says: “bad key”"),
        (status(403), "may not use this model"),
        (status(404, {"error": {"message": "model 'x' not found"}}), "does not know this model"),
        (status(404, "<html>nothing</html>"), "Nothing answers chat completions"),
        (status(308, "", location="https://elsewhere/"), "has moved"),
        (status(402), "no credit or quota left"),
        (status(429, retry_after="30"), "no more requests just now"),
        (status(400, {"error": {"message": "odd"}}), "does not accept the request. It says: “odd”"),
        (status(503), "failed or is overloaded"),
        (fault("html_200"), "Something else than an answer"),
        (fault("error_object"), "quota"),
    ],
)
async def test_each_refusal_is_told_in_plain_words_and_ends_the_checks(told: Reply, words: str) -> None:
    began = time.monotonic()
    async with ModelServer() as server:
        server.respond = always(told)
        report = await check_provider(row(server, can_think=True))
        assert len(server.bodies) == 1
    assert verdicts(report) == [F, S, S, S, S, S]
    assert words in of(report, CheckName.REACH)
    assert report.checks[0].advice
    assert time.monotonic() - began < 15


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"base_url": "http://127.0.0.1:9/v1"}, "There is no way to the server"),
        ({"base_url": "nonsense"}, "The base URL is none"),
        ({"model_id": ""}, "No model is named"),
        ({"key_variable": "NO_SUCH_API_KEY"}, "has no NO_SUCH_API_KEY"),
        ({"key_variable": "HOME"}, "no allowed name"),
        ({"extra": [1]}, "must be a JSON object"),
    ],
)
async def test_a_row_with_which_nothing_can_be_asked_is_told(fields: dict[str, Any], words: str) -> None:
    report = await check_provider(row(**fields))
    assert verdicts(report) == [F, S, S, S, S, S]
    assert words in of(report, CheckName.REACH)


async def test_a_key_is_sent_and_said_to_be_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_API_KEY", "sk-test-0123456789")

    def respond(request: Recorded) -> Reply:
        assert request.headers["authorization"] == "Bearer sk-test-0123456789"
        return (
            status(401, {"error": {"message": "sk-test-0123456789 is wrong"}})
            if "tools" in request.body
            else good(request)
        )

    report = await checked(respond, key_variable="TEST_API_KEY")
    assert "takes the key" in of(report, CheckName.REACH)
    assert "sk-test" not in str(report)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (fault("silence"), [F, S, S]),
        (fault("keepalive_only"), [F, S, S]),
        (fault("silence", text("Hello there")), [P, N, S]),
        (fault("eof_early", text("Hello there")), [P, F, S]),
        (fault("reset", text("Hello there")), [P, F, S]),
        (reply(says.finish(), says.done()), [P, F, S]),
    ],
)
async def test_a_server_that_falls_silent_or_breaks_off_is_not_waited_for(told: Reply, expected: list[Verdict]) -> None:
    began = time.monotonic()
    report = await checked(always(told), seconds=0.4, can_use_tools=False)
    assert verdicts(report)[:3] == expected
    assert time.monotonic() - began < 15

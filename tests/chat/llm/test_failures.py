from __future__ import annotations

import pytest

from chat.llm import errors
from chat.llm.facts import MAX_WORDS, clean, inline_error, read_facts
from chat.llm.failures import failure


def openai(message: str, code: str | None = None, param: str | None = None) -> dict[str, object]:
    return {"error": {"message": message, "type": "invalid_request_error", "code": code, "param": param}}


@pytest.mark.parametrize(
    ("status", "body", "kind", "reason"),
    [
        (401, openai("Incorrect API key provided", "invalid_api_key"), errors.BadKeyError, ""),
        (401, "", errors.BadKeyError, ""),
        (400, openai("API key not valid. Please pass a valid API key.", "invalid_api_key"), errors.BadKeyError, ""),
        (403, openai("Project does not have access to model"), errors.BadKeyError, "provider_forbidden"),
        (403, "<html>forbidden</html>", errors.BadKeyError, "provider_forbidden"),
        (404, openai("The model `gpt-9` does not exist", "model_not_found"), errors.UnknownModelError, ""),
        (404, {"error": "model 'llama9' not found"}, errors.UnknownModelError, ""),
        (400, openai("gpt-9 is not a valid model ID"), errors.RequestRefusedError, ""),
        (400, openai("Model Not Exist"), errors.UnknownModelError, ""),
        (
            404,
            "<html><title>404</title> no such model of car</html>",
            errors.UnknownModelError,
            "provider_wrong_address",
        ),
        (404, {"detail": "Not Found"}, errors.UnknownModelError, "provider_wrong_address"),
        (405, {"detail": "Method Not Allowed"}, errors.UnknownModelError, "provider_wrong_address"),
        (301, "", errors.UnknownModelError, "provider_moved"),
        (402, openai("Insufficient Balance"), errors.QuotaError, ""),
        (429, openai("You exceeded your current quota", "insufficient_quota"), errors.QuotaError, ""),
        (403, openai("Your account balance is overdue"), errors.QuotaError, ""),
        (429, openai("Rate limit reached for requests", "rate_limit_exceeded"), errors.RateLimitedError, ""),
        (429, {"message": "Too Many Requests"}, errors.RateLimitedError, ""),
        (
            400,
            openai("This model's maximum context length is 8192 tokens.", "context_length_exceeded"),
            errors.ContextTooLongError,
            "",
        ),
        (400, openai("prompt is too long: 210000 tokens > 200000 maximum"), errors.ContextTooLongError, ""),
        (413, {"error": {"message": "Request too large"}}, errors.ContextTooLongError, ""),
        (500, {"error": {"message": "the request exceeds the available context size"}}, errors.ContextTooLongError, ""),
        (400, openai("Invalid 'temperature'", None, "temperature"), errors.RequestRefusedError, ""),
        (422, {"detail": [{"loc": ["body", "stop"], "msg": "bad"}]}, errors.RequestRefusedError, ""),
        (418, "teapot", errors.RequestRefusedError, ""),
        (400, openai("The response was filtered: content management policy"), errors.ContentFilteredError, ""),
        (408, "", errors.OverloadedError, ""),
        (409, "", errors.OverloadedError, ""),
        (500, "", errors.OverloadedError, ""),
        (503, openai("The engine is currently overloaded"), errors.OverloadedError, ""),
        (
            529,
            {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
            errors.OverloadedError,
            "",
        ),
        (None, {"error": {"message": "Rate limit exceeded"}}, errors.RateLimitedError, ""),
        (None, {"error": {"message": "server_error"}}, errors.OverloadedError, ""),
        (None, {"error": {"message": "gremlins"}}, errors.OverloadedError, "provider_error"),
    ],
)
def test_every_failure_has_a_type_a_stable_code_and_a_remedy(
    status: int | None, body: object, kind: type[errors.ProviderError], reason: str
) -> None:
    told = failure(read_facts(body, status=status))
    assert type(told) is kind
    assert told.reason == (reason or kind.default_reason)
    assert told.retryable is kind.default_retryable
    assert told.message.split(" It says:")[0].endswith(".")


def test_codes_are_stable_and_each_type_has_its_own() -> None:
    kinds = errors.ProviderError.__subclasses__()
    reasons = [kind.default_reason for kind in kinds]
    assert len(set(reasons)) == len(reasons)
    assert all(reason.startswith("provider_") for reason in reasons)


@pytest.mark.parametrize(
    ("body", "words", "param", "code"),
    [
        ({"error": {"message": "m", "code": "c", "param": "p"}}, "m", "p", "c"),
        ({"error": "just words"}, "just words", "", ""),
        ({"message": "m", "code": 1113}, "m", "", "1113"),
        ({"error": {"msg": "m"}}, "m", "", ""),
        ({"detail": "words"}, "words", "", ""),
        (
            {"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs"}]},
            "stream_options: Extra inputs",
            "stream_options",
            "",
        ),
        ([{"error": {"message": "in a list", "code": 400}}], "in a list", "", "400"),
        (
            {"error": {"message": "Provider returned error", "metadata": {"raw": "deep"}}},
            "Provider returned error deep",
            "",
            "",
        ),
        ("plain", "plain", "", ""),
        (None, "", "", ""),
        (17, "", "", ""),
        ({}, "", "", ""),
        ([], "", "", ""),
        ({"error": None, "message": None}, "", "", ""),
    ],
)
def test_errors_of_every_shape_are_read(body: object, words: str, param: str, code: str) -> None:
    facts = read_facts(body)
    assert (facts.words, facts.param, facts.code) == (words, param, code)


@pytest.mark.parametrize(
    "words",
    [
        "Incorrect API key provided: sk-proj-abc123def456",
        "Authorization: Bearer abcdef0123456789",
        "key my-own-secret-key is unknown",
        "cannot reach https://joe:hunter22@host/v1",
        "gsk_0123456789abcdef was revoked",
        "AIzaSyD0123456789abcdef is invalid",
    ],
)
def test_secrets_are_removed_from_a_providers_words(words: str) -> None:
    told = clean(words, ["my-own-secret-key"])
    assert "[removed]" in told
    assert not any(secret in told for secret in ("abc123", "abcdef0", "own-secret", "hunter22", "gsk_0", "AIzaSy"))


def test_words_are_one_trimmed_line_without_markup() -> None:
    page = (
        "<!doctype html><html><head><title>x</title></head><script>bad()</script><body><h1>Bad\n gateway</h1>"
        + "y " * 2000
    )
    told = clean(page)
    assert told.startswith("Bad gateway y y")
    assert len(told) == MAX_WORDS
    assert told.endswith("…")


def test_a_comparison_is_no_markup() -> None:
    assert clean("expected 1 < 2 and 3 > 2") == "expected 1 < 2 and 3 > 2"


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"choices": []},
        {"choices": None, "usage": {"prompt_tokens": 1}},
        {"error": None, "choices": [{"delta": {"content": "x"}}]},
        {"choices": [{"delta": {"content": "x"}, "error": None}]},
        {"type": "ping"},
        {"message": "without a code", "choices": []},
        {"choices": [3]},
        {"base_resp": {"status_code": 0, "status_msg": ""}, "choices": []},
        {"detail": None},
        {"choices": [{"delta": {"content": "x"}}], "detail": "told beside an answer"},
    ],
)
def test_ordinary_events_hold_no_error(payload: dict[str, object]) -> None:
    assert inline_error(payload) is None


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ({"detail": "Model is loading"}, "Model is loading"),
        ({"detail": [{"loc": ["body", "n"], "msg": "too large"}]}, "n: too large"),
        ({"base_resp": {"status_code": 1008, "status_msg": "insufficient balance"}}, "insufficient balance"),
        ({"base_resp": {"status_code": 1002, "status_msg": "rate limit"}, "choices": None}, "rate limit"),
    ],
)
def test_an_event_that_is_nothing_but_a_complaint_is_an_error_in_its_words(
    payload: dict[str, object], words: str
) -> None:
    error = inline_error(payload)
    assert error is not None
    assert read_facts(error).words == words

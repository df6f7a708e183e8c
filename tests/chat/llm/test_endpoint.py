from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trustme

from agent_tools.contract.errors import InvalidInputError
from chat.llm import errors
from chat.llm.client import CompletionsModel
from chat.llm.clocks import Clocks
from chat.llm.model import LanguageModel
from chat.llm.retry import RetryPolicy
from chat.llm.types import ModelEndpoint
from tests.fakes.llm import KEY, model_of, respond
from tests.fakes.model_script import (
    answer,
    status,
)
from tests.fakes.model_server import ModelServer

ONCE = RetryPolicy(attempts=1)
QUICK = Clocks(connect=5.0, first_content=0.2, between_content=0.2, whole=30.0, after_finish=0.2, after_end=0.1)


@pytest.fixture
def strangers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an operator may have set for OpenAI's own tools."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-ambient-secret")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-admin-secret")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Gateway: secret\nauthorization: Bearer other-secret")


@pytest.mark.parametrize(("key", "sent"), [(KEY, f"Bearer {KEY}"), ("", None)])
async def test_only_the_endpoints_own_key_and_headers_are_sent(strangers: None, key: str, sent: str | None) -> None:
    async with ModelServer() as server, model_of(server, api_key=key, headers={"X-Title": "Desk"}) as model:
        server.script(answer())
        await respond(model)
    headers = server.requests[0].headers
    assert headers.get("authorization") == sent
    assert headers["x-title"] == "Desk"
    assert "secret" not in str(headers)


@pytest.mark.parametrize(
    ("url", "kind", "words"),
    [
        ("http://no-such-host.invalid/v1", errors.UnreachableError, "cannot be resolved"),
        ("http://127.0.0.1:1/v1", errors.UnreachableError, "Nothing listens"),
    ],
)
async def test_a_provider_that_cannot_be_reached_says_why(
    url: str, kind: type[errors.ProviderError], words: str
) -> None:
    async with CompletionsModel(ModelEndpoint(base_url=url, model="m"), retries=ONCE) as model:
        with pytest.raises(kind, match=words):
            await respond(model)


@asynccontextmanager
async def plain_server(says: bytes) -> AsyncIterator[str]:
    """A server that knows no TLS: it says something, or nothing, to whoever connects. Yields its https URL."""
    connected: list[asyncio.StreamWriter] = []

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connected.append(writer)
        writer.write(says)

    async with await asyncio.start_server(accept, "127.0.0.1", 0) as server:
        yield f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        for writer in connected:
            writer.close()


@pytest.mark.parametrize(
    ("says", "kind", "words"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", errors.TlsError, "should begin with http://"),
        (b"", errors.ProviderTimeoutError, "did not take the connection in time"),
    ],
)
async def test_https_where_nobody_speaks_it_says_what_to_change(
    says: bytes, kind: type[errors.ProviderError], words: str
) -> None:
    async with plain_server(says) as url:
        endpoint = ModelEndpoint(base_url=url, model="m")
        async with CompletionsModel(endpoint, retries=ONCE, clocks=Clocks(connect=0.3)) as model:
            with pytest.raises(kind, match=words):
                await respond(model)


async def test_a_certificate_must_be_trusted() -> None:
    authority = trustme.CA()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    async with ModelServer(tls=context) as server:
        server.script(answer("Hello."))
        endpoint = ModelEndpoint(base_url=server.base_url, model="m")
        async with CompletionsModel(endpoint) as model:
            with pytest.raises(errors.TlsError, match="cannot be trusted"):
                await respond(model)
        async with CompletionsModel(endpoint, trust=trusting) as model:
            assert (await respond(model)).text == "Hello."


async def test_a_redirect_is_told_and_not_followed() -> None:
    async with ModelServer() as server, model_of(server) as model:
        server.script(status(307, "", location="http://elsewhere.test/v1/chat/completions"))
        with pytest.raises(errors.UnknownModelError, match=r"moved.*elsewhere\.test") as caught:
            await respond(model)
    assert caught.value.reason == "provider_moved"


async def test_the_providers_words_come_without_the_key() -> None:
    words = {"error": {"message": f"Incorrect API key provided: {KEY}", "code": "invalid_api_key"}}
    async with ModelServer() as server, model_of(server) as model:
        server.script(status(401, words, x_request_id="req_9"))
        with pytest.raises(errors.BadKeyError, match="Incorrect API key") as caught:
            await respond(model)
    assert (caught.value.status, caught.value.code, caught.value.request_id) == (401, "invalid_api_key", "req_9")
    assert KEY not in f"{caught.value} {caught.value.details}"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"base_url": "localhost:11434/v1"}, "base_url"),
        ({"base_url": "ftp://host/v1"}, "base_url"),
        ({"base_url": "http:///v1"}, "base_url"),
        ({"base_url": "http://ho st/v1"}, "base_url"),
        ({"base_url": "http://host:99999/v1"}, "base_url"),
        ({"base_url": ""}, "base_url"),
        ({"model": " "}, "model"),
        ({"api_key": "sk-1\n"}, "api_key"),
        ({"api_key": "ключ"}, "api_key"),
        ({"headers": {"X-A": "b\r\nX-C: d"}}, "headers.X-A"),
    ],
)
def test_an_endpoint_that_cannot_be_one_is_refused_by_field(change: dict[str, object], field: str) -> None:
    told = {"base_url": "http://host/v1", "model": "m", **change}
    with pytest.raises(InvalidInputError) as caught:
        CompletionsModel(ModelEndpoint(**told))  # type: ignore[arg-type]
    assert [problem.field for problem in caught.value.problems] == [field]
    assert "sk-1" not in str(caught.value)


def test_a_key_is_not_shown_with_its_endpoint() -> None:
    assert KEY not in repr(ModelEndpoint(base_url="http://x", model="m", api_key=KEY, headers={"a": KEY}))


async def test_the_client_is_a_language_model() -> None:
    model: LanguageModel = CompletionsModel(ModelEndpoint(base_url="http://host/v1", model="m"))
    async with model:
        assert model.profile.tools

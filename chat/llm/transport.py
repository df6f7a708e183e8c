"""The `openai` client, used as a transport: it sends bytes and gives bytes back."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import cache
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from agent_tools.contract.errors import InvalidInputError, Problem
from chat.llm.translate import library_errors, translate
from chat.llm.types import ModelEndpoint

if TYPE_CHECKING:
    import httpx2
    import openai

_PATH = "/chat/completions"
_WRITE_TIMEOUT = 60.0
_KEPT_HEADERS = frozenset({"accept", "content-type", "user-agent"})
# The client insists on a key; the header itself is ours.
_NO_KEY = "none"


class Transport:
    """Connections to one endpoint, kept open between requests; raises `InvalidInputError` for an unusable endpoint.

    Only the endpoint's own key and headers are sent: what the environment holds for OpenAI goes to nobody else.
    """

    def __init__(self, endpoint: ModelEndpoint, *, connect: float, trust: ssl.SSLContext | None = None) -> None:
        _check(endpoint)
        self._endpoint = endpoint
        self._connect = connect
        self._trust = trust
        self._client: openai.AsyncOpenAI | None = None

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not be told further."""
        return (self._endpoint.api_key, *self._endpoint.headers.values())

    async def ready(self) -> None:
        """Load the client library, which takes seconds the first time, without stopping the loop."""
        if self._client is None:
            await asyncio.to_thread(_libraries)
            self._client = self._build()

    async def post(self, body: bytes) -> httpx2.Response:
        """Send a request and return the answer once its headers are there; its body is still to be read."""
        import httpx2
        import openai

        await self.ready()
        client = cast("openai.AsyncOpenAI", self._client)
        try:
            answer = await client.post(
                _PATH,
                cast_to=httpx2.Response,
                content=body,
                options={"headers": self._headers(client), "follow_redirects": False, "max_retries": 0},
                stream=True,
                stream_cls=openai.AsyncStream[Any],
            )
        except library_errors() as error:
            raise translate(error, secrets=self.secrets) from error
        return cast("httpx2.Response", answer)

    async def read(self, answer: httpx2.Response) -> AsyncGenerator[bytes, None]:
        """Yield an answer's body as it comes."""
        try:
            async with aclosing(answer.aiter_bytes()) as pieces:
                async for piece in pieces:
                    yield piece
        except library_errors() as error:
            raise translate(error, secrets=self.secrets, started=True) from error

    async def aclose(self) -> None:
        """Close all connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def _build(self) -> openai.AsyncOpenAI:
        import httpx2
        import openai

        timeout = httpx2.Timeout(connect=self._connect, read=None, write=_WRITE_TIMEOUT, pool=None)
        return openai.AsyncOpenAI(
            base_url=self._endpoint.base_url,
            api_key=self._endpoint.api_key or _NO_KEY,
            max_retries=0,
            timeout=timeout,
            http_client=httpx2.AsyncClient(verify=self._trust or _trust(), timeout=timeout),
        )

    def _headers(self, client: openai.AsyncOpenAI) -> dict[str, Any]:
        import openai

        key = self._endpoint.api_key
        ours = {"Authorization": f"Bearer {key}" if key else openai.omit, **self._endpoint.headers}
        named = {name.lower() for name in ours} | _KEPT_HEADERS
        foreign = {
            name: openai.omit
            for name in client.default_headers
            if name.lower() not in named and not name.lower().startswith("x-stainless-")
        }
        return {**foreign, **ours}


def _libraries() -> None:
    import httpx2  # noqa: F401 - loaded for later
    import openai  # noqa: F401 - loaded for later

    _trust()


@cache
def _trust() -> ssl.SSLContext:
    import httpx2

    return httpx2.create_ssl_context()


def _check(endpoint: ModelEndpoint) -> None:
    problems = []
    try:
        url = urlsplit(endpoint.base_url)
        usable = url.scheme in {"http", "https"} and bool(url.hostname) and (url.port is None or url.port > 0)
    except ValueError:
        usable = False
    if not usable or any(character.isspace() for character in endpoint.base_url):
        problems.append(Problem("base_url", "must be a URL such as https://api.openai.com/v1."))
    if not endpoint.model.strip():
        problems.append(Problem("model", "must name the provider's model."))
    if not _printable(endpoint.api_key):
        problems.append(
            Problem("api_key", "holds characters that no header may carry: look for a blank or a line end.")
        )
    problems += [
        Problem(f"headers.{name}", "holds characters that no header may carry.")
        for name, value in endpoint.headers.items()
        if not (_printable(name) and _printable(value.replace(" ", "")))
    ]
    if problems:
        raise InvalidInputError(problems)


def _printable(text: str) -> bool:
    return text.isascii() and text.isprintable() and " " not in text

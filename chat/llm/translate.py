"""Translates both client libraries' errors, openai's and httpx2's, into ours. Nothing else knows their trees."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from chat.llm.errors import ProviderError, ProviderTimeoutError, StreamBrokenError, TlsError, UnreachableError
from chat.llm.facts import clean, read_facts
from chat.llm.failures import failure
from chat.llm.retry_after import read_retry_after

if TYPE_CHECKING:
    import openai

REQUEST_ID_HEADERS = ("x-request-id", "request-id", "x-amzn-requestid", "cf-ray")
_HANDSHAKE_UNFINISHED = (ssl.SSLWantReadError, ssl.SSLWantWriteError)
_TRUST = (
    "The provider's certificate cannot be trusted: {words}. Install its authority on this machine, or mend the URL."
)
_HANDSHAKE = "No secure connection to the provider: {words}. Check whether the base URL should begin with http://."
_NAME = "The provider's host name cannot be resolved. Check the base URL and this machine's network."
_REFUSED = "Nothing listens at the provider's address. Check the base URL, and whether the server runs."
_BROKEN = "The connection to the provider broke: {words}. Try again."
_NO_CONNECTION = "The provider cannot be reached: {words}. Check the base URL and this machine's network."


def library_errors() -> tuple[type[Exception], ...]:
    """Return the roots of both trees, for an except clause; the libraries are slow to load."""
    import httpx2
    import openai

    return (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError)


def translate(error: Exception, *, secrets: Iterable[str] = (), started: bool = False) -> ProviderError:
    """Return our error for one of `library_errors`; `started` means that a response had begun."""
    import httpx2
    import openai

    secrets = tuple(secrets)
    if isinstance(error, openai.APIStatusError):
        return _from_status(error, secrets)
    causes = list(_causes(error))
    words = clean(next((text for cause in reversed(causes) if (text := str(cause).strip())), "no details"), secrets)
    if any(isinstance(cause, httpx2.TimeoutException | openai.APITimeoutError) for cause in causes):
        return ProviderTimeoutError(
            "The provider did not take the connection in time. Check the base URL, or try again later.",
            reason="provider_connect_timeout",
        )
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return TlsError(_TRUST.format(words=words))
    if any(isinstance(cause, ssl.SSLError) and not isinstance(cause, _HANDSHAKE_UNFINISHED) for cause in causes):
        return TlsError(_HANDSHAKE.format(words=words))
    if started:
        return StreamBrokenError(_BROKEN.format(words=words), words=words)
    return UnreachableError(_unreachable(causes).format(words=words), words=words)


def request_id_of(headers: Iterable[tuple[str, str]]) -> str:
    """Return the provider's id of a request, for asking its support; empty where there is none."""
    told = {name.lower(): value for name, value in headers}
    return next((told[name] for name in REQUEST_ID_HEADERS if told.get(name)), "")


def _unreachable(causes: list[BaseException]) -> str:
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return _NAME
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return _REFUSED
    return _NO_CONNECTION


def _causes(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    while current is not None:
        yield current
        current = current.__cause__ or current.__context__


def _from_status(error: openai.APIStatusError, secrets: tuple[str, ...]) -> ProviderError:
    headers = error.response.headers
    body = {"error": error.body} if isinstance(error.body, dict) else error.body
    facts = read_facts(body, status=error.status_code, secrets=secrets)
    if location := clean(headers.get("location", ""), secrets):
        facts = replace(facts, words=f"{facts.words} Location: {location}".strip())
    return failure(
        facts,
        request_id=request_id_of(headers.items()),
        retry_after=read_retry_after(headers),
        may_retry={"true": True, "false": False}.get(headers.get("x-should-retry", "").lower()),
    )

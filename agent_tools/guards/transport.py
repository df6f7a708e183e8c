"""An httpx transport that only reaches what a policy allows; the environment's proxies and .netrc play no part."""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from typing import cast

import httpcore
import httpx

from agent_tools.contract.errors import ToolError
from agent_tools.guards.backend import GuardedBackend, GuardedStream
from agent_tools.guards.network_errors import (
    BadResponseError,
    ConnectionFailedError,
    DeadlineError,
    HeaderNotAllowedError,
)
from agent_tools.guards.policy import NetworkPolicy
from agent_tools.guards.proxy import ProxyDialer
from agent_tools.guards.resolver import Resolver, SystemResolver
from agent_tools.guards.tls import shared_context, tls_failure
from agent_tools.guards.urls import Url, parse_url
from agent_tools.guards.wire_words import in_words


@dataclass(frozen=True, slots=True)
class Network:
    """The outside world as a transport sees it; the default is the machine's own.

    `ssl_context` None is the process's shared one; `proxy` is an operator's choice (see `proxy`), empty for none;
    `dialer` connects to literal addresses.
    """

    resolver: Resolver = field(default_factory=SystemResolver)
    ssl_context: ssl.SSLContext | None = None
    proxy: str = field(default="", repr=False)
    dialer: httpcore.AsyncNetworkBackend = field(default_factory=httpcore.AnyIOBackend)


class GuardedTransport(httpx.AsyncBaseTransport):
    """Sends requests to public addresses, or those that the policy opens; every connection is judged anew.

    Failures are ToolErrors of `network_errors`, not httpx's. Lives within one event loop; close it there.
    """

    def __init__(self, policy: NetworkPolicy, network: Network | None = None) -> None:
        network = network or Network()
        context = network.ssl_context or shared_context()
        dialer = ProxyDialer(network.proxy, context, network.dialer) if network.proxy else network.dialer
        self._policy = policy
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=context,
            max_keepalive_connections=0,
            http2=False,
            network_backend=GuardedBackend(policy, network.resolver, dialer, checks_peer=not network.proxy),
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request; its URL is read again by our own rules, whoever built it."""
        url = parse_url(str(request.url))
        self._policy.check(url)
        extensions = dict(request.extensions)
        if url.rooted:
            # The dot that ends a name stands in no certificate (encode/httpcore#1063).
            extensions["sni_hostname"] = url.host
        outgoing = httpcore.Request(
            method=request.method,
            url=httpcore.URL(
                scheme=url.scheme,
                host=f"{url.host}." if url.rooted else url.host,
                port=url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.stream if isinstance(request.stream, httpx.AsyncByteStream) else None,
            extensions=extensions,
        )
        with _translated(url):
            answer = await self._pool.handle_async_request(outgoing)
        stream = answer.extensions.get("network_stream")
        if isinstance(stream, GuardedStream):
            stream.head_received()
        return httpx.Response(
            answer.status, headers=answer.headers, stream=_Body(answer, url), extensions=answer.extensions
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    def __init__(self, answer: httpcore.Response, url: Url) -> None:
        self._answer = answer
        self._url = url

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _translated(self._url):
            stream = cast("AsyncGenerator[bytes, None]", self._answer.aiter_stream())
            async with aclosing(stream) as chunks:
                async for chunk in chunks:
                    yield chunk

    async def aclose(self) -> None:
        await self._answer.aclose()


@contextmanager
def _translated(url: Url) -> Iterator[None]:
    try:
        yield
    except ToolError:
        raise
    except httpcore.TimeoutException as error:
        raise DeadlineError(f"The server at {url.host} did not answer in time.") from error
    except httpcore.RemoteProtocolError as error:
        raise BadResponseError(f"The answer of {url.host} is not valid HTTP: {in_words(error)}.") from error
    except httpcore.LocalProtocolError as error:
        raise HeaderNotAllowedError(f"The request cannot be sent: {in_words(error)}.") from error
    except ssl.SSLError as error:
        raise tls_failure(url.host, error) from error
    except (httpcore.NetworkError, OSError) as error:
        raise ConnectionFailedError(f"The connection to {url.host} broke.") from error

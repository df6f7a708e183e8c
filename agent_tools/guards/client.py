"""The client through which every tool speaks to the web: limits, redirects and one deadline over all of it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import httpx

from agent_tools.contract.errors import ToolError
from agent_tools.guards.body import ACCEPT_ENCODING
from agent_tools.guards.exchange import Exchange, Sink
from agent_tools.guards.headers import Fields, checked_fields
from agent_tools.guards.network_errors import BadResponseError, ConnectionFailedError, TlsFailedError, at_hop
from agent_tools.guards.policy import NetworkPolicy
from agent_tools.guards.redirects import Outgoing, redirect_target
from agent_tools.guards.response import MAX_REASON, Headers, Request, Response
from agent_tools.guards.transport import GuardedTransport, Network
from agent_tools.guards.urls import Url, parse_url

USER_AGENT = "agent-tools"

_METHOD = re.compile(r"[A-Z]{1,20}")
_FORBIDDEN_METHODS = frozenset({"CONNECT", "TRACE", "TRACK"})  # https://fetch.spec.whatwg.org/#forbidden-method
_FIRST_FINAL_STATUS = 200
_ASCII_END = 0x80


class GuardedClient:
    """Sends requests within a policy. Cheap to make and bound to no event loop: each request has its own connections.

    `user_agent` is sent where a request names none; it should hold a product and a URL for contact.
    """

    def __init__(self, policy: NetworkPolicy, network: Network | None = None, *, user_agent: str = USER_AGENT) -> None:
        self._policy = policy
        self._network = network
        self._defaults = (("User-Agent", user_agent), ("Accept", "*/*"))

    async def send(self, request: Request, sink: Sink | None = None) -> Response:
        """Send a request and follow its redirects; the body is in the response, or went to `sink` piece by piece.

        Any status is a response. Raises the ToolErrors of `network_errors`; a DeadlineError has what had arrived.
        """
        outgoing = self._first(request)
        connections = GuardedTransport(self._policy, self._network)
        exchange = Exchange(request, outgoing, sink)
        deadline = asyncio.timeout(request.timeout)
        try:
            async with deadline, connections as transport:
                while await _hop(transport, exchange):
                    pass
                return exchange.response()
        except TimeoutError as error:
            if not deadline.expired():
                raise
            failure = exchange.timed_out()
            at_hop(failure, len(exchange.hops), f"to {exchange.outgoing.url}")
            raise failure from error

    def _first(self, request: Request) -> Outgoing:
        if not _METHOD.fullmatch(request.method) or request.method in _FORBIDDEN_METHODS:
            raise ToolError(f"The method {request.method[:20]!r} cannot be used.", reason="method_not_allowed")
        fields = checked_fields(request.headers)
        named = {name.lower() for name, _ in fields}
        added = checked_fields(field for field in self._defaults if field[0].lower() not in named)
        return Outgoing(parse_url(request.url), request.method, fields + added, request.body)


async def _hop(transport: GuardedTransport, exchange: Exchange) -> bool:
    """Send the request where it now leads; whether it was redirected on from there."""
    outgoing = exchange.outgoing
    hop = len(exchange.hops)
    try:
        answer = await transport.handle_async_request(_httpx_request(outgoing, exchange.remaining))
        try:
            headers = _head(exchange, answer, outgoing.url)
            target = _target(outgoing, answer.status_code, headers, hop + 1)
            if target is None:
                await _read(exchange, answer)
                return False
        finally:
            await answer.aclose()
        exchange.redirect(target)
    except ToolError as error:
        at_hop(error, hop, f"to {outgoing.url}")
        raise
    return True


def _httpx_request(outgoing: Outgoing, remaining: float) -> httpx.Request:
    url = outgoing.url
    ours: Fields = (("Host", url.authority), ("Accept-Encoding", ACCEPT_ENCODING), ("Connection", "close"))
    return httpx.Request(
        outgoing.method,
        url.text,
        headers=list(ours + outgoing.fields),
        content=outgoing.body,
        # The target as it was read: httpx would encode a bare percent sign in it.
        extensions={"timeout": {"connect": remaining}, "target": url.target.encode("ascii")},
    )


def _head(exchange: Exchange, answer: httpx.Response, url: Url) -> Headers:
    if answer.status_code < _FIRST_FINAL_STATUS:
        raise BadResponseError(f"The server at {url.host} wants to change to a protocol that was not asked for.")
    headers = Headers((name.decode("latin-1"), _text(value, name)) for name, value in answer.headers.raw)
    reason = _text(answer.extensions.get("reason_phrase", b""))[:MAX_REASON]
    exchange.head(answer.status_code, reason, headers)
    return headers


def _target(outgoing: Outgoing, status: int, headers: Headers, hop: int) -> Url | None:
    try:
        return redirect_target(outgoing, status, headers)
    except ToolError as error:
        at_hop(error, hop, f"from {outgoing.url}")
        raise


async def _read(exchange: Exchange, answer: httpx.Response) -> None:
    body = exchange.body
    complete = True
    try:
        async with aclosing(cast("AsyncGenerator[bytes, None]", answer.aiter_raw())) as chunks:
            while not body.done and (chunk := await anext(chunks, None)) is not None:
                await exchange.take(body.feed(chunk))
    except (BadResponseError, ConnectionFailedError, TlsFailedError):
        if not body.wire_size:
            raise
        complete = False
    await exchange.take(body.finish(complete=complete))


def _text(value: bytes, name: bytes = b"") -> str:
    """Header fields are Latin-1 by the standard and UTF-8 in practice; a URL in another charset keeps its octets."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if name.lower() == b"location":
        return "".join(chr(octet) if octet < _ASCII_END else f"%{octet:02X}" for octet in value)
    return value.decode("latin-1")

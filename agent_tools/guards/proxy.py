"""Going through an operator's proxy without giving up the judgement of addresses.

A proxy that is told a name looks it up itself, and nobody here knows where it went. So names are looked up and judged
here as always, and the proxy is asked (CONNECT, RFC 9110, 9.3.6) for the vetted address itself, for http as for https:
it sees addresses and, inside the tunnel, what TLS does not hide. What cannot be known is whether it obeys, so that the
check of the connection's other end falls away. The proxy is the operator's, so its own address is not judged.
"""

# ruff: noqa: ASYNC109 - time limits are parameters in httpcore's interface

from __future__ import annotations

import asyncio
import base64
import ssl
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote, urlsplit

import httpcore

from agent_tools.guards.network_errors import ConnectionFailedError
from agent_tools.guards.tls import tls_failure

_MAX_HEAD = 16_384
_DEFAULT_PORTS = {"http": 8080, "https": 443}
_OK = 2  # hundreds


class ProxyRefusedError(httpcore.ConnectError):
    """The proxy is there but did not connect."""


class ProxyDialer(httpcore.AsyncNetworkBackend):
    """Connects to literal addresses through a proxy given as `http[s]://[user:password@]host[:port]`.

    Raises ValueError for any other text.
    """

    def __init__(self, proxy: str, ssl_context: ssl.SSLContext, dialer: httpcore.AsyncNetworkBackend) -> None:
        parts = urlsplit(proxy)
        if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or parts.path.strip("/") or parts.query:
            raise ValueError("A proxy must be given as http://host:port or https://host:port.")
        self._host = parts.hostname
        self._port = parts.port or _DEFAULT_PORTS[parts.scheme]
        self._ssl_context = ssl_context if parts.scheme == "https" else None
        self._dialer = dialer
        self._authorization = ""
        if parts.username is not None:
            credentials = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            self._authorization = f"Basic {base64.b64encode(credentials.encode()).decode()}"

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Open a tunnel to `host`, a literal address; ProxyRefusedError where the proxy will not."""
        try:
            async with asyncio.timeout(timeout):
                stream = await self._reach_proxy(local_address, socket_options)
                try:
                    await self._open_tunnel(stream, f"[{host}]:{port}" if ":" in host else f"{host}:{port}")
                except BaseException:
                    await stream.aclose()
                    raise
                return stream
        except TimeoutError as error:
            raise httpcore.ConnectTimeout from error

    async def _reach_proxy(
        self, local_address: str | None, options: Iterable[Any] | None
    ) -> httpcore.AsyncNetworkStream:
        try:
            stream = await self._dialer.connect_tcp(self._host, self._port, None, local_address, options)
        except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
            raise ConnectionFailedError("The proxy that this tool goes through cannot be reached.") from error
        if self._ssl_context is None:
            return stream
        try:
            return await stream.start_tls(self._ssl_context, self._host)
        except httpcore.ConnectError as error:
            raise tls_failure("the proxy", error) from error

    async def _open_tunnel(self, stream: httpcore.AsyncNetworkStream, target: str) -> None:
        authorization = f"Proxy-Authorization: {self._authorization}\r\n" if self._authorization else ""
        head = f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{authorization}\r\n"
        answer = b""
        try:
            await stream.write(head.encode("ascii"))
            while b"\r\n\r\n" not in answer:
                data = await stream.read(_MAX_HEAD)
                answer += data
                if not data or len(answer) > _MAX_HEAD:
                    raise ProxyRefusedError("the proxy gave no valid answer")
        except (httpcore.ReadError, httpcore.WriteError) as error:
            raise ProxyRefusedError("the proxy broke the connection off") from error
        status = answer.split(b"\r\n", 1)[0].split(b" ")[1:2]
        if not status or not status[0].isdigit() or int(status[0]) // 100 != _OK:
            raise ProxyRefusedError(f"the proxy answered {(status or [b'nothing'])[0][:3].decode('latin-1')}")
        if not answer.endswith(b"\r\n\r\n"):
            # Whoever spoke before the client did is not the server.
            raise ProxyRefusedError("the proxy sent data of its own into the connection")

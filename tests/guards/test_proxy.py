"""Going through an operator's proxy."""

from __future__ import annotations

import asyncio

import httpcore
import pytest

from agent_tools.contract.errors import ToolError
from agent_tools.guards.client import GuardedClient
from agent_tools.guards.network_errors import RefusedAddressError
from agent_tools.guards.policy import NetworkPolicy
from agent_tools.guards.proxy import ProxyDialer
from agent_tools.guards.response import Request
from agent_tools.guards.tls import shared_context
from agent_tools.guards.transport import Network
from tests.fakes.internet import ScriptedResolver
from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import page
from tests.fakes.web_proxy import FakeProxy

NAMES = {"example.com": ["93.184.216.34"], "v6.example.com": ["2606:4700::1"], "internal.example.com": ["10.0.0.1"]}


def _client(web: FakeWeb, proxy: str) -> GuardedClient:
    web.on("*", page("through"))
    return GuardedClient(NetworkPolicy(), Network(ScriptedResolver(NAMES), web.authority.client_context(), proxy=proxy))


async def test_the_proxy_is_asked_for_the_vetted_address_for_http_and_https(web: FakeWeb) -> None:
    web.authority.certify("v6.example.com")
    async with FakeProxy(web) as proxy:
        client = _client(web, f"http://127.0.0.1:{proxy.port}")
        assert (await client.send(Request("http://example.com/a"))).content == b"through"
        assert (await client.send(Request("https://v6.example.com/b"))).content == b"through"
    assert proxy.targets == ["93.184.216.34:80", "[2606:4700::1]:443"]
    assert [(received.host, received.tls_name) for received in web.requests] == [
        ("example.com", None),
        ("v6.example.com", "v6.example.com"),
    ]
    assert "Proxy-Authorization" not in proxy.heads[0]


async def test_closed_addresses_are_not_asked_for(web: FakeWeb) -> None:
    async with FakeProxy(web) as proxy:
        client = _client(web, f"http://127.0.0.1:{proxy.port}")
        for url in ("http://internal.example.com/", "http://127.0.0.1/"):
            with pytest.raises(RefusedAddressError):
                await client.send(Request(url))
    assert proxy.heads == []


async def test_credentials_go_to_the_proxy_and_not_to_the_site(web: FakeWeb) -> None:
    async with FakeProxy(web) as proxy:
        await _client(web, f"http://us%65r:p%40ss@127.0.0.1:{proxy.port}/").send(Request("http://example.com/"))
    assert "Proxy-Authorization: Basic dXNlcjpwQHNz" in proxy.heads[0]
    assert "proxy-authorization" not in web.requests[0].headers


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "the proxy answered 407"),
        (b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", "the proxy answered 502"),
        (b"nonsense\r\n\r\n", "the proxy answered not"),
        (b"", "the proxy gave no valid answer"),
        (b"HTTP/1.1 418 x\r\n" + b"a" * 20_000, "the proxy gave no valid answer"),
        (b"HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 forged", "data of its own"),
    ],
)
async def test_a_proxy_that_does_not_connect_is_a_failed_connection(web: FakeWeb, answer: bytes, said: str) -> None:
    async with FakeProxy(web, answer) as proxy:
        with pytest.raises(ToolError) as caught:
            await _client(web, f"http://127.0.0.1:{proxy.port}").send(Request("http://example.com/"))
    assert caught.value.reason == "connection_failed"
    assert said in caught.value.message
    assert web.requests == []


async def test_a_proxy_that_is_not_there_is_told_from_a_site_that_is_not(web: FakeWeb) -> None:
    async with FakeProxy(web) as proxy:
        pass
    with pytest.raises(ToolError, match="proxy that this tool goes through cannot be reached"):
        await _client(web, f"http://127.0.0.1:{proxy.port}").send(Request("http://example.com/"))


async def test_a_proxy_that_never_answers_runs_into_the_time_limit(web: FakeWeb) -> None:
    async with FakeProxy(web, b"HTTP/1.1 ") as proxy:
        dialer = ProxyDialer(f"http://127.0.0.1:{proxy.port}", shared_context(), httpcore.AnyIOBackend())
        with pytest.raises((httpcore.ConnectTimeout, httpcore.ConnectError)):
            await asyncio.wait_for(dialer.connect_tcp("93.184.216.34", 80, 0.2), 10)


@pytest.mark.parametrize("proxy", ["", "proxy:3128", "socks5://proxy:1080", "http://", "http://proxy/path", "ftp://p"])
def test_a_proxy_is_given_as_an_http_url_of_a_host(proxy: str) -> None:
    with pytest.raises(ValueError, match="must be given as"):
        ProxyDialer(proxy, shared_context(), httpcore.AnyIOBackend())

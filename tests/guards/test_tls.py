"""Secure connections: whose certificate is accepted, and how a failure is told."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator

import pytest

from agent_tools.guards.client import GuardedClient
from agent_tools.guards.network_errors import DeadlineError, TlsFailedError
from agent_tools.guards.policy import NetworkPolicy
from agent_tools.guards.response import Request
from agent_tools.guards.tls import shared_context
from agent_tools.guards.transport import Network
from tests.fakes.internet import LoopbackDialer, ScriptedResolver, pretend_network
from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import page, redirect


@pytest.fixture
def client(web: FakeWeb) -> GuardedClient:
    web.on("*", page("secure"))
    return GuardedClient(NetworkPolicy(), pretend_network(web))


@pytest.mark.parametrize(
    ("url", "name", "host"),
    [
        ("https://alpha.example/", "alpha.example", "alpha.example"),
        ("https://alpha.example./", "alpha.example", "alpha.example."),
        ("https://Bücher.example/", "xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("https://☃.example/", "xn--n3h.example", "xn--n3h.example"),
        ("https://a_b.example/", "a_b.example", "a_b.example"),
    ],
)
async def test_the_name_of_the_url_is_asked_for_and_proved(
    web: FakeWeb, client: GuardedClient, url: str, name: str, host: str
) -> None:
    web.authority.certify(name)
    assert (await client.send(Request(url))).content == b"secure"
    assert web.requests[0].tls_name == name
    assert web.requests[0].host == host


@pytest.mark.parametrize(("url", "address"), [("https://1.1.1.1/", "1.1.1.1"), ("https://[2606::1]/", "2606::1")])
async def test_an_address_is_proved_by_the_certificate_and_no_name_is_asked_for(
    web: FakeWeb, client: GuardedClient, url: str, address: str
) -> None:
    web.authority.certify(address)
    assert (await client.send(Request(url))).status == 200
    assert web.requests[0].tls_name is None


async def test_an_address_that_the_certificate_does_not_hold_is_refused(web: FakeWeb, client: GuardedClient) -> None:
    with pytest.raises(TlsFailedError, match="for another address"):
        await client.send(Request("https://9.9.9.9/"))
    assert web.requests == []


async def test_names_on_one_address_never_share_a_connection(web: FakeWeb, client: GuardedClient) -> None:
    web.authority.certify("alpha.example")
    web.on("/go", redirect("https://unproved.example/"), host="alpha.example")
    assert (await client.send(Request("https://alpha.example/"))).status == 200
    with pytest.raises(TlsFailedError, match=r"unproved\.example: its certificate is for another name"):
        await client.send(Request("https://unproved.example/"))
    with pytest.raises(TlsFailedError, match=r"at redirect 1, to https://unproved\.example/"):
        await client.send(Request("https://alpha.example/go"))
    assert [received.tls_name for received in web.requests] == ["alpha.example", "alpha.example"]


async def test_an_expired_certificate_is_told(web: FakeWeb, client: GuardedClient) -> None:
    web.authority.certify("expired.example", expired=True)
    with pytest.raises(TlsFailedError, match="expired") as caught:
        await client.send(Request("https://expired.example/"))
    assert caught.value.reason == "tls_failed"


async def test_an_unknown_authority_is_told(web: FakeWeb) -> None:
    web.authority.certify("alpha.example")
    network = Network(ScriptedResolver({"*": ["93.184.216.34"]}), dialer=LoopbackDialer(web))
    with pytest.raises(TlsFailedError, match=r"not trusted here|self-signed"):
        await GuardedClient(NetworkPolicy(), network).send(Request("https://alpha.example/"))


@contextlib.asynccontextmanager
async def _server_that_says(answer: bytes | None) -> AsyncIterator[int]:
    """Serve what is no TLS: an answer to whatever comes, None for silence."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer):
            while answer is None and await reader.read(100):
                pass
            writer.write(answer or b"")

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


@pytest.mark.parametrize(
    ("answer", "said"),
    [(b"", "broke off the handshake"), (b"HTTP/1.1 400 Bad Request\r\n\r\n", "does not speak TLS")],
)
async def test_a_failed_handshake_is_told(answer: bytes, said: str) -> None:
    async with _server_that_says(answer) as port:
        client = GuardedClient(NetworkPolicy(allowed_networks=("127.0.0.1",)))
        with pytest.raises(TlsFailedError, match=said):
            await client.send(Request(f"https://127.0.0.1:{port}/"))


async def test_a_handshake_that_never_comes_ends_at_the_deadline() -> None:
    async with _server_that_says(None) as port:
        client = GuardedClient(NetworkPolicy(allowed_networks=("127.0.0.1",)))
        with pytest.raises(DeadlineError):
            await asyncio.wait_for(client.send(Request(f"https://127.0.0.1:{port}/", timeout=0.2)), 10)


def test_the_shared_context_is_one_and_checks_names_and_certificates() -> None:
    context = shared_context()
    assert context is shared_context()
    assert context.check_hostname
    assert context.verify_mode is ssl.CERT_REQUIRED

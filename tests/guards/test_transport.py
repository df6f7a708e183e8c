"""The guarded transport under an ordinary httpx client, in an environment that means to mislead it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import agent_tools.guards
from agent_tools.contract.errors import ToolError
from agent_tools.guards.client import GuardedClient
from agent_tools.guards.network_errors import DomainNotAllowedError, InvalidUrlError, RefusedAddressError
from agent_tools.guards.policy import NetworkPolicy
from agent_tools.guards.response import Request
from agent_tools.guards.transport import GuardedTransport, Network
from tests.fakes.internet import LoopbackDialer, pretend_network
from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import page, redirect
from tests.fakes.web_proxy import FakeProxy

PROXY_VARIABLES = ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")


async def test_an_httpx_client_reaches_what_is_public(web: FakeWeb) -> None:
    web.on("/", page("hello"))
    async with httpx.AsyncClient(transport=GuardedTransport(NetworkPolicy(), pretend_network(web))) as client:
        assert (await client.get("http://example.com/")).text == "hello"


async def test_an_httpx_client_that_follows_redirects_is_guarded_at_each(web: FakeWeb) -> None:
    web.on("/", redirect("http://127.0.0.1/"))
    transport = GuardedTransport(NetworkPolicy(), pretend_network(web))
    async with httpx.AsyncClient(transport=transport, follow_redirects=True) as client:
        with pytest.raises(RefusedAddressError):
            await client.get("http://example.com/")
    assert len(web.requests) == 1


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("http://user:hunter2@example.com/", InvalidUrlError),
        ("http://example.com:25/", InvalidUrlError),
        ("http://example.com:99999/", InvalidUrlError),
        ("http://localhost/", RefusedAddressError),
        ("http://blocked.example/", DomainNotAllowedError),
    ],
)
async def test_urls_that_httpx_takes_are_still_judged_here(web: FakeWeb, url: str, error: type[ToolError]) -> None:
    dialer = LoopbackDialer(web)
    policy = NetworkPolicy(blocked_domains=("blocked.example",))
    async with httpx.AsyncClient(transport=GuardedTransport(policy, pretend_network(web, dialer=dialer))) as client:
        with pytest.raises(error) as caught:
            await client.get(url)
    assert "hunter2" not in str(caught.value)
    assert dialer.dialled == []


async def test_proxies_of_the_environment_are_not_used(web: FakeWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    web.on("/", page("direct"))
    async with FakeProxy(web) as proxy:
        for variable in PROXY_VARIABLES:
            monkeypatch.setenv(variable, f"http://127.0.0.1:{proxy.port}")
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        client = GuardedClient(NetworkPolicy(allowed_networks=("127.0.0.1",)))
        assert (await client.send(Request(web.url("/")))).content == b"direct"
    assert proxy.heads == []


async def test_passwords_of_netrc_are_not_sent(web: FakeWeb, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password hunter2\n", "utf-8")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    web.on("/", page())
    await GuardedClient(NetworkPolicy(allowed_networks=("127.0.0.1",))).send(Request(web.url("/")))
    assert "authorization" not in web.requests[0].headers


async def test_cookies_of_one_response_are_not_sent_with_the_next_request(web: FakeWeb) -> None:
    web.on("/", redirect("/next", fields=[("Set-Cookie", "a=b; Path=/")]))
    web.on("/next", page())
    client = GuardedClient(NetworkPolicy(allowed_networks=("127.0.0.1",)))
    for _ in range(2):
        await client.send(Request(web.url("/")))
    assert not any("cookie" in received.headers for received in web.requests)


def test_a_network_does_not_show_the_credentials_of_its_proxy() -> None:
    assert "hunter2" not in repr(Network(proxy="http://user:hunter2@proxy:3128"))


def test_authorities_can_be_named_by_the_environment(tmp_path: Path) -> None:
    with FakeWeb().in_thread() as web:
        web.on("/", page("trusted"))
        bundle = tmp_path / "ca.pem"
        bundle.write_bytes(web.authority.pem())
        program = (
            "import asyncio\n"
            "from agent_tools.guards.client import GuardedClient\n"
            "from agent_tools.guards.policy import NetworkPolicy\n"
            "from agent_tools.guards.response import Request\n"
            "client = GuardedClient(NetworkPolicy(allowed_networks=('127.0.0.1',)))\n"
            f"print(asyncio.run(client.send(Request({web.url('/', secure=True)!r}))).content)\n"
        )
        environment = {"SSL_CERT_FILE": str(bundle), "PYTHONPATH": str(Path(agent_tools.guards.__path__[0]).parents[1])}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, timeout=60, check=True, text=True
        )
    assert done.stdout.strip() == "b'trusted'"


def test_the_network_s_guards_know_no_framework() -> None:
    allowed = {"agent_tools", "httpx", "httpcore", "idna"} | set(sys.stdlib_module_names)
    network = (
        "addresses backend body client domains exchange headers hosts inflating network_errors networks policy ports"
    )
    modules = [*network.split(), "proxy", "redirects", "resolver", "response", "tls", "transport", "url_text", "urls"]
    for module in modules:
        source = (Path(agent_tools.guards.__path__[0]) / f"{module}.py").read_text("utf-8")
        for node in ast.walk(ast.parse(source)):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name.split(".")[0] in allowed, f"{module} imports {name}"
                if name.startswith("agent_tools."):
                    assert name.split(".")[1] in {"guards", "contract"}

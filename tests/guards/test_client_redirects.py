"""Redirects followed by the guarded client, each hop judged like the first."""

from __future__ import annotations

import pytest

from agent_tools.contract.errors import ToolError
from agent_tools.guards.client import GuardedClient
from agent_tools.guards.network_errors import (
    DomainNotAllowedError,
    InvalidUrlError,
    RefusedAddressError,
    TooManyRedirectsError,
)
from agent_tools.guards.policy import NetworkPolicy
from agent_tools.guards.response import Hop, Request
from tests.fakes.internet import LoopbackDialer, ScriptedResolver, pretend_network
from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import page, redirect

SECRETS = (("Authorization", "Bearer s"), ("X-API-Key", "s"), ("Private-Token", "s"), ("Cookie", "s"))
KEPT = (("Accept", "text/html"), ("Accept-Language", "de"), ("User-Agent", "me"))


@pytest.fixture
def client(web: FakeWeb) -> GuardedClient:
    web.on("*", page("end"))
    return GuardedClient(NetworkPolicy(), pretend_network(web))


async def test_hops_and_the_final_url_are_told(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/a", redirect("/b", 301))
    web.on("/b", redirect("http://other.example/c?d", 307))
    response = await client.send(Request("http://example.com/a"))
    assert response.url == "http://other.example/c?d"
    assert response.hops == (Hop("http://example.com/a", 301), Hop("http://example.com/b", 307))
    assert response.content == b"end"


async def test_secrets_stay_with_their_origin_for_good(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/same", redirect("/leave"))
    web.on("/leave", redirect("http://other.example/back"))
    web.on("/back", redirect("http://example.com/end"))
    await client.send(Request("http://example.com/same", headers=SECRETS + KEPT))
    names = [{name for name, _ in received.fields} for received in web.requests]
    ours = {"Host", "Accept-Encoding", "Connection"}
    everything = {name for name, _ in SECRETS + KEPT} | ours
    kept = {name for name, _ in KEPT} | ours
    assert names == [everything, everything, kept, kept]
    assert [received.host for received in web.requests] == ["example.com"] * 2 + ["other.example", "example.com"]


async def test_an_upgrade_to_https_is_another_origin_too(web: FakeWeb, client: GuardedClient) -> None:
    web.authority.certify("example.com")
    web.on("/up", redirect("https://example.com/end"))
    await client.send(Request("http://example.com/up", headers=SECRETS))
    assert web.requests[-1].secure
    assert not {name for name, _ in SECRETS} & {name for name, _ in web.requests[-1].fields}


@pytest.mark.parametrize(("status", "method", "body"), [(302, "GET", b""), (303, "GET", b""), (308, "POST", b"{}")])
async def test_a_post_follows_as_in_browsers(
    web: FakeWeb, client: GuardedClient, status: int, method: str, body: bytes
) -> None:
    web.on("/p", redirect("/end", status))
    await client.send(Request("http://example.com/p", "POST", (("Content-Type", "application/json"),), b"{}"))
    last = web.requests[-1]
    assert (last.method, last.body) == (method, body)
    assert ("content-type" in last.headers) is bool(body)
    assert ("content-length" in last.headers) is bool(body)


async def test_five_redirects_are_followed_and_a_sixth_is_not(web: FakeWeb, client: GuardedClient) -> None:
    for number in range(6):
        web.on(f"/{number}", redirect(f"/{number + 1}"))
    assert len((await client.send(Request("http://example.com/1"))).hops) == 5
    with pytest.raises(TooManyRedirectsError, match="more than 5 times") as caught:
        await client.send(Request("http://example.com/0"))
    assert caught.value.reason == "too_many_redirects"
    assert "http://example.com/6" in caught.value.message


async def test_a_circle_is_called_one(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/r", redirect("/r"))
    with pytest.raises(TooManyRedirectsError, match="in a circle"):
        await client.send(Request("http://example.com/r"))
    assert len(web.requests) == 6


async def test_a_refused_hop_names_the_address_the_rule_and_the_hop(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/a", redirect("/b"))
    web.on("/b", redirect("http://127.0.0.1:41242/?token=hunter2"))
    with pytest.raises(RefusedAddressError) as caught:
        await client.send(Request("http://example.com/a"))
    assert caught.value.message == (
        "Refused to connect to 127.0.0.1: loopback (127.0.0.0/8); an operator can open it for this tool with "
        "allowed_networks (at redirect 2, to http://127.0.0.1:41242/?token=***)."
    )
    assert caught.value.details["hop"] == 2


async def test_a_hop_whose_name_leads_inside_is_refused(web: FakeWeb) -> None:
    web.on("/a", redirect("http://inside.example/"))
    dialer = LoopbackDialer(web)
    resolver = ScriptedResolver({"example.com": ["93.184.216.34"], "inside.example": ["10.0.0.1"]})
    client = GuardedClient(NetworkPolicy(), pretend_network(web, dialer=dialer, resolver=resolver))
    with pytest.raises(RefusedAddressError, match=r"10\.0\.0\.1, the address of inside\.example.*at redirect 1"):
        await client.send(Request("http://example.com/a"))
    assert dialer.dialled == [("93.184.216.34", 80)]


async def test_a_name_that_rebinds_between_two_hops_is_judged_again(web: FakeWeb) -> None:
    web.on("/a", redirect("/b"))
    resolver = ScriptedResolver({"example.com": [["93.184.216.34"], ["127.0.0.1"]]})
    client = GuardedClient(NetworkPolicy(), pretend_network(web, resolver=resolver))
    with pytest.raises(RefusedAddressError):
        await client.send(Request("http://example.com/a"))
    assert web.paths == ["/a"]


async def test_a_hop_out_of_the_allowed_domains_is_refused(web: FakeWeb) -> None:
    web.on("/a", redirect("http://example.com.evil.test/"))
    resolver = ScriptedResolver({"*": ["93.184.216.34"]})
    client = GuardedClient(NetworkPolicy(("example.com",)), pretend_network(web, resolver=resolver))
    with pytest.raises(DomainNotAllowedError, match="at redirect 1"):
        await client.send(Request("http://example.com/a"))
    assert resolver.lookups == ["example.com"]


@pytest.mark.parametrize("location", ["http:/b", "ftp://example.com/", "http://user:hunter2@example.com/", "/\\evil"])
async def test_a_location_that_cannot_be_followed_is_told_with_its_hop(
    web: FakeWeb, client: GuardedClient, location: str
) -> None:
    web.on("/a", redirect(location))
    with pytest.raises(InvalidUrlError, match=r"at redirect 1, from http://example\.com/a") as caught:
        await client.send(Request("http://example.com/a"))
    assert "hunter2" not in str(caught.value)


async def test_a_redirect_without_a_location_is_a_response(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/a", redirect(None))
    response = await client.send(Request("http://example.com/a"))
    assert (response.status, response.content, response.hops) == (302, b"moved", ())


@pytest.mark.parametrize(
    ("location", "target"),
    [("/ä".encode(), "/%C3%A4"), ("/ä".encode("latin-1"), "/%E4"), ("/中".encode("gbk"), "/%D6%D0")],
)
async def test_a_location_in_any_charset_keeps_its_octets(
    web: FakeWeb, client: GuardedClient, location: bytes, target: str
) -> None:
    web.on("/a", redirect(location))
    await client.send(Request("http://example.com/a"))
    assert web.requests[-1].target == target


async def test_an_endless_body_of_a_redirect_is_not_read(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/a", redirect("/b", fields=[("Content-Length", "5")]))
    assert (await client.send(Request("http://example.com/a"))).status == 200


async def test_a_failure_on_the_way_names_its_hop(web: FakeWeb, client: GuardedClient) -> None:
    web.on("/a", redirect("https://uncertified.example/"))
    with pytest.raises(ToolError, match=r"at redirect 1, to https://uncertified\.example/"):
        await client.send(Request("http://example.com/a"))

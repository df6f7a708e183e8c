"""The collected cases of server-side request forgery, each over real sockets: who is dialled, and who is not."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from agent_tools.contract.errors import ToolError
from agent_tools.guards.addresses import closed_by, dialable
from agent_tools.guards.client import GuardedClient
from agent_tools.guards.policy import NetworkPolicy
from agent_tools.guards.response import Request
from agent_tools.guards.urls import parse_url
from tests.fakes.internet import LoopbackDialer, ScriptedResolver, pretend_network
from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import in_turn, page, redirect

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "data" / "ssrf-urls.json").read_text("utf-8"))

REASONS = {
    "ipv4-special": {"refused_address"},
    "ipv6-special": {"refused_address", "invalid_url"},
    "ipv4-spelling": {"invalid_url"},
    "syntax": {"invalid_url"},
    "parser": {"invalid_url", "refused_address"},
    "scheme": {"invalid_url"},
    "dns": {"refused_address", "name_not_found"},
    "rebinding": {"refused_address"},
    "domain-list": {"domain_not_allowed"},
    "redirect": {"refused_address", "domain_not_allowed", "too_many_redirects"},
}


def _identify(case: Mapping[str, Any]) -> str:
    return f"{case['id']}-{case['class']}"


def _policy(case: Mapping[str, Any]) -> NetworkPolicy:
    config = case.get("config", {})
    return NetworkPolicy(
        allowed_domains=tuple(config.get("allowedDomains", ["*"])),
        blocked_domains=tuple(config.get("blockedDomains", [])),
    )


def _resolver(case: Mapping[str, Any]) -> ScriptedResolver:
    """Answer for the case's own name whatever its spelling, and for the names of its redirects."""
    answers: dict[str, Any] = dict(case.get("hop_resolves_to", {}))
    first = case["resolves_to"]
    if first is not None:
        name = parse_url(case["url"]).host
        answers[name] = [first, case["then_resolves_to"]] if "then_resolves_to" in case else first
    return ScriptedResolver(answers)


def _route(web: FakeWeb, case: Mapping[str, Any]) -> None:
    web.on("*", page("reached"))
    locations = case.get("redirects_to", [])
    if not locations:
        return
    web.on(urlsplit(case["url"]).path, in_turn(*(redirect(location) for location in locations)))
    for location, following in itertools.pairwise(locations):
        if not location.startswith("/r"):
            web.on(location, redirect(following))


def _judged(case: Mapping[str, Any]) -> set[str]:
    """Return the addresses that the guard was shown for the case, as a socket takes them."""
    shown = case["resolves_to"] or [parse_url(case["url"]).host]
    for answers in case.get("hop_resolves_to", {}).values():
        shown = [*shown, *answers]
    return {str(dialable(ip_address(address))) for address in shown}


@pytest.mark.parametrize("case", [case for case in CASES if case["allowed"]], ids=_identify)
async def test_what_is_allowed_is_reached_at_the_address_that_was_judged(web: FakeWeb, case: dict[str, Any]) -> None:
    _route(web, case)
    resolver, dialer = _resolver(case), LoopbackDialer(web)
    web.authority.certify(parse_url(case["url"]).host, *case.get("hop_resolves_to", {}))
    client = GuardedClient(_policy(case), pretend_network(web, dialer=dialer, resolver=resolver))

    response = await client.send(Request(case["url"]))

    hops = len(case.get("redirects_to", []))
    assert response.content == b"reached"
    assert len(response.hops) == hops
    assert len(dialer.dialled) == web.connections == hops + 1
    assert {address for address, _ in dialer.dialled} <= _judged(case)
    assert len(resolver.lookups) == (0 if case["resolves_to"] is None else hops + 1)
    if "connects_to" in case:
        assert dialer.dialled == [(case["connects_to"], 80)]


@pytest.mark.parametrize("case", [case for case in CASES if not case["allowed"]], ids=_identify)
async def test_what_is_forbidden_is_refused_before_anything_is_dialled(web: FakeWeb, case: dict[str, Any]) -> None:
    _route(web, case)
    resolver, dialer = _resolver(case), LoopbackDialer(web)
    web.authority.certify("example.com", "other.test")
    client = GuardedClient(_policy(case), pretend_network(web, dialer=dialer, resolver=resolver))

    with pytest.raises(ToolError) as caught:
        await client.send(Request(case["url"]))

    assert caught.value.reason in REASONS[case["class"]]
    assert "secret" not in str(caught.value)
    followed = {"/r", "/a", "/b"} if case["class"] == "redirect" else set()
    assert set(web.paths) <= followed
    assert all(closed_by(ip_address(address)) is None for address, _ in dialer.dialled)
    if not followed:
        assert dialer.dialled == []
        assert web.connections == 0


@pytest.mark.parametrize("case", [case for case in CASES if case["resolves_to"] is None], ids=_identify)
async def test_what_needs_no_answer_is_judged_without_a_look_up(web: FakeWeb, case: dict[str, Any]) -> None:
    resolver = ScriptedResolver({"*": ["93.184.216.34"]})
    client = GuardedClient(_policy(case), pretend_network(web, resolver=resolver))

    with contextlib.suppress(ToolError):
        await client.send(Request(case["url"]))

    assert resolver.lookups == []

"""The browsable pages open with forms that work, and show content as text."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from agent_tools.models import AgentTool
from agent_tools.services.tools import create_tool
from tests.fakes.api_client import allow
from tests.fakes.stored_tools import store

BROWSER = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def page(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address, headers=BROWSER)
    assert answer.status_code == status
    assert answer["Content-Type"] == "text/html; charset=utf-8"
    return answer.content.decode()


def prefilled(text: str) -> Any:
    """Return the body in the page's one form."""
    [content] = re.findall(r"<textarea[^>]*>(.*?)</textarea>", text, re.DOTALL)
    return json.loads(html.unescape(content))


@pytest.mark.django_db(transaction=True)
def test_the_execute_form_opens_with_an_input_that_runs(operator_client: Client, greeter: AgentTool) -> None:
    address = f"/api/agent-tools/{greeter.pk}/execute"
    body = prefilled(page(operator_client, address, 405))
    assert body == {"input": {"name": "example", "url": "https://example.org/"}}
    answer = operator_client.post(address, body, content_type="application/json")
    assert answer.json()["success"] is True


@pytest.mark.django_db(transaction=True)
def test_the_execute_form_keeps_what_was_sent(operator_client: Client, greeter: AgentTool) -> None:
    body = {"input": {"name": "nobody", "url": "u"}}
    address = f"/api/agent-tools/{greeter.pk}/execute"
    answer = operator_client.post(address, body, content_type="application/json", headers=BROWSER)
    assert answer.status_code == 200
    assert prefilled(answer.content.decode()) == body


def test_the_execute_form_of_a_broken_tool_still_opens(operator_client: Client, greeter: AgentTool) -> None:
    store(greeter, type="teleport")
    assert prefilled(page(operator_client, f"/api/agent-tools/{greeter.pk}/execute", 405)) == {"input": {}}


def test_the_create_form_opens_with_a_tool_that_can_be_made(operator_client: Client) -> None:
    for _ in range(3):
        body = prefilled(page(operator_client, "/api/agent-tools"))
        answer = operator_client.post("/api/agent-tools", body, content_type="application/json")
        assert answer.status_code == 201, answer.content


def test_the_change_form_opens_with_the_tool_as_it_is(operator_client: Client, greeter: AgentTool) -> None:
    address = f"/api/agent-tools/{greeter.pk}"
    before = operator_client.get(address).json()
    body = prefilled(page(operator_client, address))
    assert set(body) == {"name", "slug", "description", "type", "config", "enabled", "sort_order"}
    after = operator_client.put(address, body, content_type="application/json").json()
    assert after == {**before, "updated_at": after["updated_at"]}


def test_the_input_schema_form_opens_with_the_defaults(operator_client: Client) -> None:
    body = prefilled(page(operator_client, "/api/tool-types/greeter/input-schema", 405))
    assert body["config"]["limit"] == 3
    address = "/api/tool-types/greeter/input-schema"
    assert operator_client.post(address, body, content_type="application/json").status_code == 200


def test_pages_have_names_breadcrumbs_and_a_way_on(operator_client: Client, greeter: AgentTool) -> None:
    text = page(operator_client, f"/api/agent-tools/{greeter.pk}")
    crumbs = re.findall(r'<a href="([^"]+)">([^<]+)</a></li>', text[: text.index("content-main")])
    assert [(address.rstrip("/"), name) for address, name in crumbs[:3]] == [
        ("/api", "Agent Tools API"),
        ("/api/agent-tools", "Tools"),
        (f"/api/agent-tools/{greeter.pk}", "Tool"),
    ]
    assert f"/api/agent-tools/{greeter.pk}/execute" in text
    assert f"/api/agent-tools/{greeter.pk}/definition" in text
    assert "PUT replaces it" in text


@pytest.mark.parametrize("address", ["/api/", "/api/tool-types", "/api/tool-logs", "/api/tool-logs?full=1"])
def test_pages_for_reading_have_no_form_for_a_body(operator_client: Client, address: str) -> None:
    assert "<textarea" not in page(operator_client, address)


def test_the_log_page_offers_its_filters(operator_client: Client) -> None:
    text = page(operator_client, "/api/tool-logs")
    for name in ("tool", "status", "user", "session", "door", "from", "to"):
        assert f'name="{name}"' in text


def test_content_is_shown_as_text(operator_client: Client) -> None:
    evil = '</textarea></pre><script>alert("x")</script>'
    tool = create_tool(name=evil[:50], slug="evil", description=evil, type="greeter")
    for address in ("/api/agent-tools", f"/api/agent-tools/{tool.pk}", f"/api/agent-tools/{tool.pk}/definition"):
        text = page(operator_client, address)
        assert "<script>alert" not in text
    assert "<script>alert" not in page(operator_client, "/api/%3Cscript%3Ealert(1)%3C/script%3E", 404)


def test_an_error_is_a_page_too(operator_client: Client) -> None:
    text = page(operator_client, "/api/agent-tools/nonsense", 404)
    assert "urn:agent-tools:problem:not_found" in text


def test_who_is_not_signed_in_finds_the_way_in_and_comes_back(operator: User) -> None:
    browser = Client()
    text = page(browser, "/api/agent-tools", 401)
    [link] = re.findall(r"href='(/api/auth/login/[^']*)'", text)
    assert "next=/api/agent-tools" in link
    assert "<form" in page(browser, link)
    answer = browser.post(link, {"username": "operator", "password": "operator-password", "next": "/api/agent-tools"})
    assert answer["Location"] == "/api/agent-tools"
    text = page(browser, "/api/agent-tools")
    assert "operator" in text
    [way_out] = re.findall(r'action="(/api/auth/logout/[^"]*)"', text)
    browser.post(way_out)
    page(browser, "/api/agent-tools", 401)


def test_pages_carry_no_script_of_their_own(operator_client: Client, greeter: AgentTool) -> None:
    for address in ("/api/", "/api/agent-tools", f"/api/agent-tools/{greeter.pk}", "/api/tool-logs"):
        text = page(operator_client, address)
        assert not re.search(r"\son[a-z]+=", text)
        assert set(re.findall(r"<script ([a-z]+)=", text)) <= {"src", "type"}


def test_staff_without_the_permission_is_offered_no_form(staff: User, greeter: AgentTool) -> None:
    browser = Client()
    browser.force_login(allow(staff, "view_agenttool"))
    assert "<textarea" not in page(browser, "/api/agent-tools")
    assert "<textarea" not in page(browser, f"/api/agent-tools/{greeter.pk}")

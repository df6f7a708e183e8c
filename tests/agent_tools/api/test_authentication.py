"""Who may come in: tokens and sessions."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from agent_tools.models import AgentTool, ApiToken
from agent_tools.services.tokens import create_token

PLACE = "/api/agent-tools"


def ask(header: str | None) -> tuple[int, str, str]:
    headers = {} if header is None else {"authorization": header}
    answer = APIClient().get(PLACE, headers=headers)
    return answer.status_code, answer.headers.get("WWW-Authenticate", ""), answer.content.decode()


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "Token", "token"])
def test_a_key_is_taken_under_either_scheme(key: str, scheme: str) -> None:
    assert ask(f"{scheme} {key}")[0] == 200


@pytest.mark.parametrize(
    "header",
    ["Bearer wrong", "Bearer", "Bearer ", "Token  ", "Bearer a b", "Bearer é", "Bearer \x01", "Bearer " + "x" * 5000],
)
def test_every_wrong_key_gets_the_same_answer(db: None, header: str) -> None:
    assert ask(header) == ask("Bearer wrong-too")
    status, challenge, body = ask(header)
    assert status == 401
    assert challenge.startswith("Bearer ")
    assert "urn:agent-tools:problem:authentication_failed" in body


@pytest.mark.parametrize("header", [None, "", "Basic b3BlcmF0b3I6eA==", "Digest x"])
def test_nobody_is_asked_for_a_token(db: None, header: str | None) -> None:
    status, challenge, body = ask(header)
    assert status == 401
    assert challenge.startswith("Bearer ")
    assert "urn:agent-tools:problem:not_authenticated" in body


def test_an_expired_key_is_answered_like_a_wrong_one(operator: User, key: str) -> None:
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert ask(f"Bearer {key}") == ask("Bearer wrong")


def test_a_key_counts_until_it_expires(operator: User, key: str) -> None:
    ApiToken.objects.update(expires_at=timezone.now() + timedelta(minutes=5))
    assert ask(f"Bearer {key}")[0] == 200


def test_the_key_of_an_inactive_user_is_answered_like_a_wrong_one(operator: User, key: str) -> None:
    User.objects.update(is_active=False)
    assert ask(f"Bearer {key}") == ask("Bearer wrong")


def test_the_key_of_someone_who_is_no_staff_opens_nothing(person: User) -> None:
    key = create_token(person, "tests")[1]
    assert ask(f"Bearer {key}")[0] == 403


def test_a_use_is_noted_at_most_once_a_minute(key: str) -> None:
    def last() -> object:
        return ApiToken.objects.get().last_used_at

    assert last() is None
    ask(f"Bearer {key}")
    first = last()
    assert first is not None
    ask(f"Bearer {key}")
    assert last() == first
    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(minutes=2))
    before = last()
    ask(f"Bearer {key}")
    assert last() != before


def test_a_wrong_key_is_not_noted(key: str) -> None:
    ask("Bearer wrong")
    assert ApiToken.objects.get().last_used_at is None


def test_a_session_reads(operator_client: Client) -> None:
    assert operator_client.get(PLACE).status_code == 200


def test_a_session_writes_only_with_its_csrf_token(operator: User, greeter: AgentTool) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(operator)
    address = f"{PLACE}/{greeter.pk}"
    refused = browser.patch(address, {"enabled": False}, content_type="application/json")
    assert refused.status_code == 403
    assert "CSRF" in refused.json()["detail"]
    browser.get(address, headers={"accept": "text/html"})
    token = browser.cookies["csrftoken"].value
    answer = browser.patch(address, {"enabled": False}, content_type="application/json", headers={"x-csrftoken": token})
    assert answer.status_code == 200


def test_a_token_needs_no_csrf_token(key: str, greeter: AgentTool) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
    assert client.patch(f"{PLACE}/{greeter.pk}", {"enabled": False}).status_code == 200

"""The Content Security Policy of every page."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.fixture(autouse=True)
def _no_static_files(settings: Any) -> None:
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "whitenoise" not in name]


def policy_of(client: Client, path: str, **headers: str) -> dict[str, str]:
    response = client.get(path, **headers)  # type: ignore[arg-type]
    parts = (part.partition(" ") for part in response["Content-Security-Policy"].split("; "))
    return {name: sources for name, _, sources in parts}


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/login/", "/chat/", "/healthz", "/nowhere", "/admin/login/", "/api/agent-tools/"])
def test_every_answer_has_a_policy_under_which_no_inline_script_runs(path: str) -> None:
    policy = policy_of(Client(), path)
    assert policy["default-src"] == "'self'"
    assert "script-src" not in policy
    assert policy["img-src"] == "'self' data:"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["object-src"] == policy["base-uri"] == "'none'"


@pytest.mark.django_db
def test_style_attributes_are_for_the_admin_and_the_api_only() -> None:
    assert policy_of(Client(), "/login/")["style-src"] == "'self'"
    assert policy_of(Client(), "/admin/login/")["style-src"] == "'self' 'unsafe-inline'"


@pytest.mark.django_db
def test_sockets_are_allowed_to_the_host_that_was_asked_and_to_no_other() -> None:
    policy = policy_of(Client(), "/login/", HTTP_HOST="localhost:8000")
    assert policy["connect-src"] == "'self' ws://localhost:8000 wss://localhost:8000"
    assert Client().get("/login/", HTTP_HOST="evil.example; script-src *").status_code == 400


def test_the_pages_have_no_inline_script_and_no_inline_style(operator: User) -> None:
    client = Client()
    client.force_login(operator)
    for path in ("/login/", "/chat/"):
        page = client.get(path).content.decode()
        assert not re.search(r"<script(?![^>]*\bsrc=)", page)
        assert not re.search(r"<style|\sstyle=|\son\w+=", page)

"""What the tests of the API stand on: a greeter, a token, no memory of earlier requests."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from agent_tools.models import AgentTool
from agent_tools.services.tokens import create_token
from agent_tools.services.tools import create_tool
from tests.fakes.api_types import known_types


@pytest.fixture(autouse=True)
def _fresh(settings: Any) -> Iterator[None]:
    # WhiteNoise looks through every static file for each new client, which is what most of the time would go into.
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "whitenoise" not in name]
    settings.CACHES = {"default": {**settings.CACHES["default"], "KEY_PREFIX": uuid.uuid4().hex}}
    with known_types():
        yield


@pytest.fixture
def key(operator: User) -> str:
    """The key of an operator's token."""
    return create_token(operator, "tests")[1]


@pytest.fixture
def api(key: str) -> APIClient:
    """A client with an operator's token."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
    return client


@pytest.fixture
def greeter(db: None) -> AgentTool:
    """A tool of the greeter's type, with two secrets."""
    return create_tool(
        name="Greeter",
        slug="greeter",
        description="Greets someone.",
        type="greeter",
        config={"token": "sesame-token", "headers": {"X-Key": "sesame-header"}},
    )


@pytest.fixture
def staff(db: None) -> User:
    """A member of staff without any permission."""
    return User.objects.create_user("staff", "staff@example.org", "staff-password", is_staff=True)


@pytest.fixture
def staff_api(staff: User) -> APIClient:
    """A client in which that member of staff is signed in."""
    client = APIClient()
    client.force_authenticate(staff)
    return client

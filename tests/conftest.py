"""What every test stands on: settings of their own, operators, and a bound on the resources."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from hypothesis import settings as hypothesis_settings

# A busy machine must not fail a property; the number of examples bounds the time.
hypothesis_settings.register_profile("steady", deadline=None)
hypothesis_settings.load_profile("steady")

SECRET_KEY = Fernet.generate_key().decode()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """End the connections that pools of threads keep, since PostgreSQL drops no database that has some."""
    yield
    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )


@pytest.fixture(autouse=True)
def _settings(settings: Any, tmp_path: Path) -> None:
    data = tmp_path / "data"
    folders = {f"{name.upper()}_DIR": data / name for name in ("workspaces", "library", "skills")}
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "SECRET_KEYS": [SECRET_KEY], **folders}
    settings.DATA_DIR = data
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def operator(db: None) -> User:
    """A superuser."""
    return User.objects.create_superuser("operator", "operator@example.org", "operator-password")


@pytest.fixture
def person(db: None) -> User:
    """A user without rights in the admin."""
    return User.objects.create_user("person", "person@example.org", "person-password")


@pytest.fixture
def operator_client(operator: User) -> Client:
    """A browser in which the operator is signed in."""
    client = Client()
    client.force_login(operator)
    return client


def service_or_skip(variable: str) -> str:
    """Return the address of a service, or skip; in CI a missing service is a failure."""
    value = os.environ.get(variable, "")
    if value:
        return value
    reason = f"{variable} is not set"
    if os.environ.get("CI"):
        pytest.fail(f"{reason}: CI must run these tests.")
    pytest.skip(reason)

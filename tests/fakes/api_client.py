"""Helps tests to speak to the API: permissions, and bodies sent as they are."""

from __future__ import annotations

from typing import Any, cast

from django.contrib.auth.models import Permission, User
from rest_framework.test import APIClient


def allow(user: User, *codenames: str) -> User:
    """Give a user permissions, and return it afresh, for permissions are remembered."""
    user.user_permissions.add(*Permission.objects.filter(codename__in=codenames))
    return User.objects.get(pk=user.pk)


def send(api: APIClient, method: str, address: str, body: bytes | str, content_type: str = "application/json") -> Any:
    """Send a body as it is."""
    return api.generic(method, address, cast("str", body), content_type)

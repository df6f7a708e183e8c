"""Staff members with exactly the permissions that a test gives them."""

from __future__ import annotations

from django.contrib.auth.models import Permission, User
from django.test import Client


def staff_client(*codes: str) -> Client:
    """Return the browser of a staff member with exactly these permissions, as in `view_agenttool`."""
    user = User.objects.create_user(f"staff-{'-'.join(codes) or 'none'}", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codes))
    client = Client()
    client.force_login(user)
    return client

"""Whether the person behind a socket is still signed in."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

from django.contrib.auth import get_user
from django.contrib.auth.models import AbstractBaseUser

from chat.conf import conf
from chat.journal import wake


def topic_of(user_id: int) -> str:
    """Return the name under which changes of a person's standing are announced."""
    return f"person.{user_id}"


def signed_in(session_key: str | None) -> int | None:
    """Return who is signed in with a session, read anew; none when it has ended, the password has changed since, or
    the account was disabled.
    """
    store = import_module(conf.session_engine).SessionStore(session_key)
    request: Any = SimpleNamespace(session=store)
    user = get_user(request)
    return int(user.pk) if user.is_authenticated and user.is_active else None


def tell_signed_out(sender: object, request: Any, user: AbstractBaseUser | None, **_: Any) -> None:
    """Receive Django's signal: the sockets of this session have to go."""
    if user is not None and user.pk is not None:
        wake.announce(topic_of(user.pk), {"signed_out": request.session.session_key})


def tell_changed(sender: object, instance: Any, *, created: bool = False, **_: Any) -> None:
    """Receive Django's signal: an account changed, so its sockets look whether they may stay."""
    if not created and isinstance(instance, AbstractBaseUser):
        wake.announce(topic_of(instance.pk), {})

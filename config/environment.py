"""Reads the environment with errors that name the variable and the remedy.

django-environ does the parsing; this module only bounds the values and names what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import TypeVar

import environ
from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")

env = environ.Env()


def _parsed(name: str, read: Callable[[], T], wanted: str) -> T:
    try:
        return read()
    except (ValueError, TypeError) as error:
        raise ImproperlyConfigured(f"{name} must be {wanted}; it is {env.str(name, default='')!r}.") from error


def text(name: str, default: str = "") -> str:
    """Return the variable as it stands, without surrounding blanks; an empty one counts as unset."""
    return str(env.str(name, default="")).strip() or default


def choice(name: str, default: str, allowed: Collection[str]) -> str:
    """Return one of the allowed words."""
    value = text(name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(sorted(allowed))}; it is {value!r}.")
    return value


def boolean(name: str, *, default: bool) -> bool:
    """Return a switch: true/false, yes/no, on/off, 1/0."""
    value = text(name).lower()
    if not value:
        return default
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} must be true or false; it is {value!r}.")


def integer(name: str, default: int, *, at_least: int = 0, at_most: int = 2**31 - 1) -> int:
    """Return a whole number inside its bounds, both included."""
    value: int = _parsed(name, lambda: int(text(name, str(default))), "a whole number")
    if not at_least <= value <= at_most:
        raise ImproperlyConfigured(f"{name} must be from {at_least} to {at_most}; it is {value}.")
    return value


def rate(name: str, default: str) -> str:
    """Return how often something may happen, as `60/min`: a number from 1 on, and s, min, hour or day."""
    value = text(name, default)
    if not re.fullmatch(r"[1-9][0-9]{0,8}/(s|sec|second|m|min|minute|h|hour|d|day)", value):
        raise ImproperlyConfigured(
            f"{name} must be a number of times per s, min, hour or day, as 60/min; it is {value!r}."
        )
    return value


def words(name: str, default: Collection[str] = ()) -> list[str]:
    """Return a comma-separated list without empty entries."""
    value = text(name)
    return [part.strip() for part in value.split(",") if part.strip()] if value else list(default)


def url(name: str, default: str, schemes: Collection[str]) -> str:
    """Return an address whose scheme is one of the given ones."""
    value = text(name, default)
    if value and value.partition(":")[0] not in schemes:
        raise ImproperlyConfigured(f"{name} must begin with one of {', '.join(sorted(schemes))}:; it does not.")
    return value

"""System checks: types that cannot be loaded, rows of unknown types, a missing key for secrets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004 - Django's own name
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError

from agent_tools.conf import conf
from agent_tools.contract.errors import UnknownToolTypeError
from agent_tools.models import AgentTool
from agent_tools.registry import registry


@register()
def every_type_loads(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Refuse to start while a line of the catalogue leads nowhere."""
    found: list[CheckMessage] = []
    for name in registry.types():
        try:
            registry.get(name)
        except UnknownToolTypeError as error:
            found.append(
                Error(error.message, hint="Correct the line in agent_tools/catalogue.py.", id="agent_tools.E001")
            )
    return found


@register(Tags.security)
def secrets_have_a_key(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Check TOOL_SECRET_KEYS, without which no secret can be saved."""
    try:
        keys = conf.secret_keys
    except ImproperlyConfigured as error:
        return [Error(str(error), hint="`manage.py make_secret_key` prints a new one.", id="agent_tools.E002")]
    if keys:
        return []
    return [
        Warning(
            "TOOL_SECRET_KEYS is empty: tools cannot keep secrets.",
            hint="Set it to the output of `manage.py make_secret_key`.",
            id="agent_tools.W001",
        )
    ]


@register(Tags.database)
def every_tool_has_a_known_type(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Name the rows whose type is not in the catalogue; runs with `check --database default` and `migrate`."""
    if not databases:
        return []
    try:
        rows = list(AgentTool.objects.exclude(type__in=registry.types()).values_list("slug", "type"))
    except DatabaseError:
        return []
    return [
        Error(
            f"Tool {slug!r} has the unknown type {type_name!r}.",
            hint="Delete the tool, or bring its type back into agent_tools/catalogue.py.",
            id="agent_tools.E003",
        )
        for slug, type_name in rows
    ]

"""Creates, changes and deletes tools, and installs the default ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from agent_tools.contract.executor import ToolExecutor
from agent_tools.models import AgentTool, InstalledDefault
from agent_tools.registry import registry

CHANGEABLE = frozenset({"name", "slug", "description", "config", "enabled", "sort_order"})


def create_tool(**fields: Any) -> AgentTool:
    """Create a tool from its row's fields (`config` as an operator writes it); raises Django's `ValidationError`."""
    tool = AgentTool(**fields)
    tool.full_clean()
    tool.save()
    return tool


def update_tool(tool: AgentTool, changes: Mapping[str, Any]) -> AgentTool:
    """Change some of a tool's fields; a secret absent from `config` is kept. Raises Django's `ValidationError`."""
    if changes.get("type", tool.type) != tool.type:
        raise ValidationError({"type": [_("The type of a tool cannot be changed: make another tool instead.")]})
    for name in CHANGEABLE & set(changes):
        setattr(tool, name, changes[name])
    tool.full_clean()
    tool.save()
    return tool


def offer_tool(*, slug: str, type_name: str, **fields: Any) -> AgentTool:
    """Make sure that an enabled tool with this slug and these fields exists, whatever it was before."""
    tool = AgentTool.objects.filter(slug=slug).first()
    if tool is None:
        return create_tool(slug=slug, type=type_name, **fields)
    return update_tool(tool, {**fields, "type": type_name, "enabled": True})


def delete_tool(tool: AgentTool) -> None:
    """Delete a tool; its log rows stay."""
    tool.delete()


def install_default_tools() -> list[AgentTool]:
    """Give every type that never had one its default tool, and return the new ones.

    Each type is installed once: a default that an operator deleted does not come back, and one whose slug is taken
    is left out.
    """
    installed: list[AgentTool] = []
    for position, type_name in enumerate(registry.types(), 1):
        with transaction.atomic():
            _row, is_new = InstalledDefault.objects.get_or_create(type=type_name)
            if is_new and not AgentTool.objects.filter(slug=type_name).exists():
                installed.append(create_tool(**_default_row(type_name, registry.get(type_name), position)))
    return installed


def _default_row(type_name: str, executor: ToolExecutor[Any, Any], position: int) -> dict[str, Any]:
    return {
        "name": executor.title,
        "slug": type_name,
        "description": executor.summary,
        "type": type_name,
        "config": {},
        "enabled": executor.enabled_by_default,
        "sort_order": position * 10,
    }

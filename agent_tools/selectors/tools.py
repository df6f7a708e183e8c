"""Which tools there are, and what a model is told about them."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable

from agent_tools.contract.definition import ToolDefinition
from agent_tools.contract.errors import AgentToolsError
from agent_tools.models import AgentTool
from agent_tools.models.tool import AgentToolQuerySet
from agent_tools.registry import registry

logger = logging.getLogger(__name__)


def all_tools() -> AgentToolQuerySet:
    """Return every tool by sort order."""
    return AgentTool.objects.all()


def tool_by_id(tool_id: uuid.UUID) -> AgentTool | None:
    """Return one tool, enabled or not."""
    return AgentTool.objects.filter(pk=tool_id).first()


def tools_in_set(slugs: frozenset[str] | None) -> list[AgentTool]:
    """Return the enabled tools of a session's set (none: all that are enabled), sorted by slug."""
    tools = AgentTool.objects.enabled()
    if slugs is not None:
        tools = tools.filter(slug__in=slugs)
    return sorted(tools, key=lambda tool: tool.slug)


def definition_of(tool: AgentTool) -> ToolDefinition:
    """Return exactly what a model is told; raises `UnknownToolTypeError` or `ConfigError`."""
    executor = registry.get(tool.type)
    config = tool.load_config()
    parts = (tool.description.strip(), executor.describe(config).strip())
    return ToolDefinition(
        name=tool.slug,
        description="\n\n".join(part for part in parts if part),
        parameters=executor.input_schema(config),
    )


def definitions(tools: Iterable[AgentTool]) -> list[ToolDefinition]:
    """Return the definitions sorted by slug, so that a provider's prompt cache keeps hitting.

    A tool whose type or configuration is broken is left out and logged: it must not take the others with it.
    """
    found: list[ToolDefinition] = []
    for tool in sorted(tools, key=lambda each: each.slug):
        try:
            found.append(definition_of(tool))
        except AgentToolsError as error:
            logger.error("Tool %s is left out of the definitions: %s", tool.slug, error.message)  # noqa: TRY400
    return found

"""What a row's type says of it, for pages that must not break whatever the row or the type holds."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from agent_tools.admin import json_text
from agent_tools.contract.errors import AgentToolsError
from agent_tools.models import AgentTool
from agent_tools.registry import registry
from agent_tools.selectors.tools import definition_of

logger = logging.getLogger(__name__)
T = TypeVar("T")

CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class ModelView:
    """What a model is told about a tool, as it stands in the request."""

    name: str
    description: str
    schema: Mapping[str, Any]

    @property
    def schema_text(self) -> str:
        return json_text.pretty(self.schema)

    @property
    def tokens(self) -> int:
        """A rough estimate: characters of the definition's JSON, divided by four."""
        whole = {"name": self.name, "description": self.description, "parameters": self.schema}
        return -(-len(json_text.compact(whole)) // CHARACTERS_PER_TOKEN)


def model_view_of(tool: AgentTool) -> tuple[ModelView | None, str]:
    """Return the definition, or none and what is wrong."""

    def view() -> ModelView:
        definition = definition_of(tool)
        return ModelView(definition.name, definition.description, definition.parameters)

    return _asked(tool, view)


def problem_of(tool: AgentTool) -> str:
    """Return in one sentence why the tool cannot run; empty when it can."""
    return _asked(tool, tool.load_config)[1]


def type_title(type_name: str) -> str:
    """Return the type's title, or its bare name where it has none to give."""
    try:
        return registry.get(type_name).title
    except (AgentToolsError, AttributeError):
        return type_name


def _asked(tool: AgentTool, question: Callable[[], T]) -> tuple[T | None, str]:
    try:
        return question(), ""
    except AgentToolsError as error:
        return None, error.message
    except Exception:  # a bug in one type must not take the operators' pages with it
        logger.exception("Tool %s could not be described.", tool.slug)
        return None, _("Its type failed while it was asked about this tool; the server's log says more.")

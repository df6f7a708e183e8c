"""A tool as JSON; its configuration is judged by its type, its secrets go in and never come out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from agent_tools import configs
from agent_tools.api.pointers import nested
from agent_tools.api.serializers.base import ObjectField, StrictSerializer
from agent_tools.contract.errors import AgentToolsError, InvalidInputError, UnknownToolTypeError
from agent_tools.models import AgentTool

SMALLEST, LARGEST = -(2**31), 2**31 - 1


class ConfigField(serializers.DictField):
    """A tool's configuration; the OpenAPI document describes it type by type."""

    def to_representation(self, value: Any) -> Any:
        return configs.masked(value)


class ToolSerializer(StrictSerializer, serializers.ModelSerializer[AgentTool]):
    """A tool."""

    config = ConfigField(required=False)
    sort_order = serializers.IntegerField(required=False, min_value=SMALLEST, max_value=LARGEST)
    problem = serializers.CharField(
        read_only=True, allow_null=True, help_text="Why the tool cannot run as it is; null when it can."
    )

    class Meta:
        model = AgentTool
        fields = [
            "id",
            "name",
            "slug",
            "description",
            "type",
            "config",
            "enabled",
            "sort_order",
            "problem",
            "created_at",
            "updated_at",
        ]

    def to_representation(self, instance: AgentTool) -> dict[str, Any]:
        config, problem = shown_config(instance)
        instance.problem = problem  # type: ignore[attr-defined]
        return {**super().to_representation(instance), "config": config}

    def further_errors(self, data: Mapping[str, Any], value: dict[str, Any]) -> dict[str, Any]:
        tool = self.instance if isinstance(self.instance, AgentTool) else None
        type_name = tool.type if tool is not None else data.get("type")
        config = data.get("config", {} if tool is None else None)
        if not isinstance(type_name, str) or not isinstance(config, Mapping):
            return {}
        stored = tool.config if tool is not None and isinstance(tool.config, Mapping) else {}
        try:
            if tool is not None and self.partial:
                config = {**configs.shown(type_name, stored), **config}
            configs.prepare(type_name, config, stored)
        except UnknownToolTypeError as error:
            return {"type": [error.message]}
        except InvalidInputError as error:
            return {"config": nested(error.problems, config)}
        except AgentToolsError as error:
            return {"config": [error.message]}
        value["config"] = config
        return {}


class ToolUpdateSerializer(ToolSerializer):
    """A tool to be changed: its type stays as it is and need not be said."""

    class Meta(ToolSerializer.Meta):
        extra_kwargs = {"type": {"required": False}}


class DefinitionSerializer(serializers.Serializer[Any]):
    """What a model is told about a tool."""

    name = serializers.CharField(help_text="The slug, the function's name for the model.")
    description = serializers.CharField()
    parameters = ObjectField(help_text="JSON Schema of the input.")


def shown_config(tool: AgentTool) -> tuple[Any, str | None]:
    """Return a tool's configuration without its secrets, and what is wrong with it, if anything."""
    if not isinstance(tool.config, Mapping):
        return configs.masked(tool.config), "The stored configuration is no object; save another one."
    try:
        shown = configs.shown(tool.type, tool.config)
    except AgentToolsError as error:
        return configs.masked(tool.config), error.message
    try:
        tool.load_config()
    except AgentToolsError as error:
        return shown, error.message
    return shown, None

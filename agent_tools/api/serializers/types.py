"""A tool type as JSON."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from agent_tools import configs
from agent_tools.api.serializers.base import ObjectField, StrictSerializer
from agent_tools.contract.errors import AgentToolsError
from agent_tools.contract.interrupts import Interrupt
from agent_tools.registry import registry


class FlagsSerializer(serializers.Serializer[Any]):
    """What holds for every tool of a type."""

    enabled_by_default = serializers.BooleanField()
    interrupt = serializers.ChoiceField(
        choices=[interrupt.value for interrupt in Interrupt], help_text="What a person's stop does to a running call."
    )
    causes_sibling_abort = serializers.BooleanField(help_text="Its failure ends the other calls of the same response.")
    pollable = serializers.BooleanField(help_text="Equal calls are no loop while the answers change.")
    background = serializers.BooleanField(help_text="It may run without a conversation waiting.")
    max_output_chars = serializers.IntegerField(help_text="Longer text is kept whole and shortened for the model.")


class ToolTypeSerializer(serializers.Serializer[Any]):
    """A tool type. Of one that cannot be loaded, `problem` says why and the rest is null."""

    type = serializers.CharField()
    title = serializers.CharField(allow_null=True)
    summary = serializers.CharField(allow_null=True)
    config_schema = ObjectField(allow_null=True, help_text="JSON Schema of a tool's config.")
    config_defaults = ObjectField(allow_null=True)
    input_schema = ObjectField(allow_null=True, help_text="JSON Schema of the input under the default config.")
    flags = FlagsSerializer(allow_null=True)
    problem = serializers.CharField(allow_null=True)


class InputSchemaRequestSerializer(StrictSerializer):
    """A configuration to try; nothing is saved."""

    config = ObjectField(required=False)


class InputSchemaSerializer(serializers.Serializer[Any]):
    """What a tool with that configuration would tell a model."""

    input_schema = ObjectField(help_text="JSON Schema of the input, narrowed by the config.")
    description = serializers.CharField(
        allow_blank=True, help_text="What the config adds to the tool's own description; may be empty."
    )


def shown_type(type_name: str) -> dict[str, Any]:
    """Return a type as JSON; raises `UnknownToolTypeError`."""
    executor = registry.get(type_name)
    return {
        "type": type_name,
        "title": executor.title,
        "summary": executor.summary,
        "config_schema": executor.Config.model_json_schema(),
        "config_defaults": configs.shown(type_name, {}),
        "input_schema": executor.input_schema(executor.Config()),
        "flags": {str(name): getattr(executor, str(name)) for name in FlagsSerializer().fields},
        "problem": None,
    }


def shown_type_or_problem(type_name: str) -> dict[str, Any]:
    """Return a type as JSON, or the reason why it cannot be loaded, so that one does not take the list with it."""
    try:
        return shown_type(type_name)
    except AgentToolsError as error:
        nothing: dict[str, Any] = dict.fromkeys(map(str, ToolTypeSerializer().fields))
        return {**nothing, "type": type_name, "problem": error.message}


def shown_input_schema(type_name: str, config: dict[str, Any]) -> dict[str, Any]:
    """Return what a configuration makes of the input; raises `ConfigError` or `UnknownToolTypeError`."""
    executor = registry.get(type_name)
    loaded = configs.load(type_name, configs.prepare(type_name, config))
    return {"input_schema": executor.input_schema(loaded), "description": executor.describe(loaded)}

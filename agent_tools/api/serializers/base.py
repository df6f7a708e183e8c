"""What the serializers share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from agent_tools.api.errors import MalformedBodyError

UNKNOWN_KEY = "There is no such field here; remove it."


@extend_schema_field(OpenApiTypes.OBJECT)
class ObjectField(serializers.DictField):
    """A JSON object of any content."""


@extend_schema_field(OpenApiTypes.ANY)
class AnyField(serializers.Field[Any, Any, Any, Any]):
    """Any JSON value, taken as it is."""

    def to_internal_value(self, data: Any) -> Any:
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses keys that it does not know, for a misspelt one would be lost; tells all that is wrong at once."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if not isinstance(data, Mapping):
            raise MalformedBodyError("The body must be a JSON object.", pointer="")
        return super().run_validation(data)

    def to_internal_value(self, data: Any) -> Any:
        errors: dict[str, Any] = {}
        value: Any = {}
        try:
            value = super().to_internal_value(data)
        except serializers.ValidationError as error:
            errors = dict(error.detail) if isinstance(error.detail, Mapping) else {"non_field_errors": error.detail}
        errors |= {str(key): [UNKNOWN_KEY] for key in data if key not in self.fields}
        errors |= self.further_errors(data, value)
        if errors:
            raise serializers.ValidationError(errors)
        return value

    def further_errors(self, data: Mapping[str, Any], value: dict[str, Any]) -> dict[str, Any]:
        """Return what else is wrong with a body, by field; may complete the validated `value`."""
        return {}

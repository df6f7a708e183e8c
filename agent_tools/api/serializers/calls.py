"""A run asked for and what became of it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from agent_tools.api.serializers.base import AnyField, StrictSerializer
from agent_tools.contract.calls import CallStatus, Ran
from agent_tools.contract.outcome import CallOutcome


class ExecuteRequestSerializer(StrictSerializer):
    """What to run a tool with."""

    input = AnyField(
        required=False, allow_null=True, help_text="The tool's input, by its schema; left out it counts as {}."
    )


@extend_schema_field(
    {
        "type": "object",
        "required": ["call_id", "status", "reason", "ran", "duration_ms"],
        "properties": {
            "call_id": {"type": "string", "format": "uuid", "description": "Leads to the row in /api/tool-logs."},
            "status": {"type": "string", "enum": [status.value for status in CallStatus]},
            "reason": {"type": "string", "description": "Why it failed, a stable code; empty when it succeeded."},
            "ran": {
                "type": "string",
                "enum": [ran.value for ran in Ran],
                "description": "Whether it may have had effects.",
            },
            "duration_ms": {"type": "integer"},
        },
        "additionalProperties": {},
        "description": "Facts of the call, and the tool's own beside them (fetch: status_code, final_url, …).",
    }
)
class MetadataField(serializers.DictField):
    """The facts beside a result."""


class ExecuteResponseSerializer(serializers.Serializer[Any]):
    """What became of a run. `success` is false for every call that was judged or ran and failed."""

    success = serializers.BooleanField()
    data = AnyField(  # type: ignore[assignment] # a field of that name
        allow_null=True, help_text="The structured result; null when there is none."
    )
    error = serializers.CharField(allow_null=True, help_text="One plain sentence; null when it succeeded.")
    metadata = MetadataField()


def shown_outcome(outcome: CallOutcome) -> dict[str, Any]:
    """Return a call's end as JSON; a success without structured data gives its text."""
    result = outcome.result
    data = result.content or None if result.success and result.data is None else result.data
    own = {
        "call_id": str(outcome.call.id),
        "status": result.status.value,
        "reason": result.reason,
        "ran": result.ran.value,
        "duration_ms": outcome.duration_ms,
    }
    return {
        "success": result.success,
        "data": data,
        "error": result.error,
        "metadata": {**result.metadata, **own},
    }

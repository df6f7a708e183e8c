"""A logged call as JSON."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from agent_tools.api.serializers.base import AnyField, ObjectField
from agent_tools.models import AgentToolLog

BIG_FIELDS = ("input", "output", "content", "metadata")
ROW_FIELDS = (
    "id",
    "call_id",
    "session_id",
    "tool_id",
    "tool_slug",
    "user",
    "username",
    "door",
    "status",
    "reason",
    "error_message",
    "duration_ms",
    "created_at",
)


class ToolLogRowSerializer(serializers.ModelSerializer[AgentToolLog]):
    """A call as a row of the list."""

    user = serializers.IntegerField(source="user_id", read_only=True, allow_null=True, help_text="Null for the system.")
    username = serializers.SerializerMethodField()

    class Meta:
        model = AgentToolLog
        fields: Any = ROW_FIELDS
        read_only_fields: Any = ROW_FIELDS

    def get_username(self, row: AgentToolLog) -> str | None:
        return row.user.get_username() if row.user is not None else None


class ToolLogSerializer(ToolLogRowSerializer):
    """A call, whole; secrets were masked before it was written."""

    input = AnyField(allow_null=True, read_only=True, help_text="As the model or the caller sent it.")
    output = AnyField(allow_null=True, read_only=True, help_text="The structured result, cut to a stated size.")
    content = serializers.CharField(read_only=True, help_text="The text given to the model.")
    metadata = ObjectField(read_only=True)

    class Meta(ToolLogRowSerializer.Meta):
        fields = (*ROW_FIELDS, *BIG_FIELDS)
        read_only_fields = fields

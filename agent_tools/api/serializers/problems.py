"""The shape of an error, for the OpenAPI document."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class FindingSerializer(serializers.Serializer[Any]):
    """One thing that is wrong."""

    pointer = serializers.CharField(required=False, help_text="Where in the body (RFC 6901), as /config/timeout.")
    parameter = serializers.CharField(required=False, help_text="Which query parameter.")
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """A problem (RFC 9457)."""

    type = serializers.CharField(help_text="Stable, for programs: urn:agent-tools:problem:invalid_input.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="For people.")
    errors = FindingSerializer(many=True)  # type: ignore[assignment] # a field of that name
    retry_after = serializers.IntegerField(required=False, help_text="Seconds to wait, with 429.")

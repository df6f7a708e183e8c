"""What the OpenAPI document cannot see by itself: the token, the configurations by type, the problems."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerFieldExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from pydantic.fields import FieldInfo

from agent_tools.api.problems import MEDIA_TYPE
from agent_tools.api.serializers.problems import ProblemSerializer
from agent_tools.contract.errors import UnknownToolTypeError
from agent_tools.registry import registry

EVERYWHERE = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS)
TOOL_ID = OpenApiParameter("id", OpenApiTypes.UUID, OpenApiParameter.PATH)
CONFIG = (
    "What the type demands; `GET /api/tool-types/{type}` has the whole JSON Schema. A secret is shown as "
    '`{"$secret": "set"}`. Sent as a string it is replaced, as null cleared, left out or sent back as shown it is '
    "kept. PUT replaces the other keys (those left out fall back to their defaults), PATCH changes only those it names."
)


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The token in the Authorization header."""

    target_class = "agent_tools.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "description": "Made with `manage.py api_token create`."}


class ConfigFieldSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """A configuration: an object whose keys depend on the type, so its description goes through the types."""

    target_class = "agent_tools.api.serializers.tools.ConfigField"

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        types = "\n".join(f"- `{name}`: {_keys(name)}" for name in registry.types())
        return {"type": "object", "additionalProperties": {}, "description": f"{CONFIG}\n\nKeys by type:\n\n{types}"}


def problems(*statuses: int) -> dict[tuple[int, str], OpenApiResponse]:
    """Return the problems an operation may answer with, as responses: those named and those that any may give."""
    return {
        (int(status), MEDIA_TYPE): OpenApiResponse(ProblemSerializer, description=HTTPStatus(status).phrase)
        for status in sorted({*statuses, *EVERYWHERE})
    }


def _keys(type_name: str) -> str:
    try:
        fields = registry.get(type_name).Config.model_fields
    except UnknownToolTypeError as error:
        return error.message
    return "; ".join(f"`{key}` {_told(field)}" for key, field in fields.items()) or "none"


def _told(field: FieldInfo) -> str:
    return (field.description or field.title or "").rstrip(".")

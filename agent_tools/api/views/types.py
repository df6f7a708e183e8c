"""The tool types there are."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from agent_tools.api.pointers import nested
from agent_tools.api.schema import problems
from agent_tools.api.serializers.types import (
    InputSchemaRequestSerializer,
    InputSchemaSerializer,
    ToolTypeSerializer,
    shown_input_schema,
    shown_type,
    shown_type_or_problem,
)
from agent_tools.api.views.base import ApiView
from agent_tools.contract.errors import ConfigError
from agent_tools.registry import registry


class TypeListView(ApiView):
    """Every tool type, with the JSON Schema of its config and of its input."""

    name = "Tool types"

    @extend_schema(operation_id="list_tool_types", responses={200: ToolTypeSerializer(many=True), **problems()})
    def get(self, request: Request) -> Response:
        """List the tool types by name."""
        return Response([shown_type_or_problem(type_name) for type_name in registry.types()])


class TypeView(ApiView):
    """A view of one type, named in the address."""

    def known_type(self) -> str:
        """Return the type's name; raises `NotFound` naming those there are."""
        type_name = str(self.kwargs["type"])
        if type_name not in registry.types():
            raise NotFound(f"There is no tool type {type_name[:50]!r}; known types: {', '.join(registry.types())}.")
        return type_name


class TypeDetailView(TypeView):
    """A tool type, with the JSON Schema of its config and of its input."""

    name = "Tool type"

    @extend_schema(operation_id="get_tool_type", responses={200: ToolTypeSerializer, **problems(404, 500)})
    def get(self, request: Request, type: str) -> Response:  # noqa: A002 - the address's own word
        """Show a tool type."""
        return Response(shown_type(self.known_type()))


class InputSchemaView(TypeView):
    """What a config makes of a type's input: POST {"config": {…}}. Nothing is saved."""

    name = "Input schema"

    @extend_schema(
        operation_id="get_input_schema",
        request=InputSchemaRequestSerializer,
        responses={200: InputSchemaSerializer, **problems(400, 404, 413, 415, 500)},
    )
    def post(self, request: Request, type: str) -> Response:  # noqa: A002 - the address's own word
        """Show the input's JSON Schema under a config; nothing is saved."""
        type_name = self.known_type()
        serializer = InputSchemaRequestSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        config = serializer.validated_data.get("config", {})
        try:
            return Response(shown_input_schema(type_name, config))
        except ConfigError as error:
            raise ValidationError({"config": nested(error.problems, config)}) from error

    def example_body(self, method: str) -> object:
        """Return the type's defaults."""
        return {"config": shown_type_or_problem(self.known_type())["config_defaults"]}

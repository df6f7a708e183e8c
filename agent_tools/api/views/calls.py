"""Running a tool, and what a model is told about it."""

from __future__ import annotations

from dataclasses import asdict

from asgiref.sync import async_to_sync
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from agent_tools.api.errors import ConflictError
from agent_tools.api.examples import example_of
from agent_tools.api.permissions import ModelPermission
from agent_tools.api.problems import findings_of
from agent_tools.api.schema import TOOL_ID, problems
from agent_tools.api.serializers.calls import ExecuteRequestSerializer, ExecuteResponseSerializer, shown_outcome
from agent_tools.api.serializers.tools import DefinitionSerializer
from agent_tools.api.throttling import ApiThrottle, ExecuteThrottle
from agent_tools.api.views.base import ToolView
from agent_tools.contract.calls import Door, Reason
from agent_tools.contract.errors import AgentToolsError, ConfigError, UnknownToolTypeError
from agent_tools.selectors.tools import definition_of
from agent_tools.services.execution import execute_tool


@extend_schema(parameters=[TOOL_ID])
class ExecuteView(ToolView):
    """Runs a tool once: POST {"input": {…}}. A disabled tool runs too. The answer is 200 for every call that was
    judged, `success` tells how it went. What would have to ask a person is refused here.
    """

    name = "Execute"
    permission_classes = [ModelPermission]
    permission_verbs = {"POST": ("change",)}
    throttle_classes = [ApiThrottle, ExecuteThrottle]
    serializer_class = ExecuteRequestSerializer

    @extend_schema(
        operation_id="execute_tool",
        request=ExecuteRequestSerializer,
        responses={200: ExecuteResponseSerializer, **problems(400, 404, 413, 415, 500)},
        examples=[OpenApiExample("fetch", {"input": {"url": "https://example.org/"}}, request_only=True)],
    )
    def post(self, request: Request, pk: str) -> Response:
        """Run a tool once and give back how it went."""
        serializer = ExecuteRequestSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        outcome = async_to_sync(execute_tool)(
            self.tool(), serializer.validated_data.get("input"), door=Door.API, user_id=request.user.pk
        )
        if outcome.result.reason == Reason.UNKNOWN_TOOL_TYPE:
            raise UnknownToolTypeError(outcome.result.error or "The tool's type is unknown.")
        return Response(shown_outcome(outcome))

    def example_body(self, method: str) -> object:
        """Return what was just sent, or else the smallest input that fits the schema."""
        if method == self.request.method and self.request.data:
            return self.request.data
        try:
            return {"input": example_of(definition_of(self.tool()).parameters)}
        except AgentToolsError:
            return {"input": {}}


@extend_schema(parameters=[TOOL_ID])
class DefinitionView(ToolView):
    """What a model is told about a tool: name, description and the JSON Schema of its input."""

    name = "Definition"
    permission_classes = [ModelPermission]

    @extend_schema(operation_id="get_tool_definition", responses={200: DefinitionSerializer, **problems(404, 409, 500)})
    def get(self, request: Request, pk: str) -> Response:
        """Show exactly what a model is told about a tool."""
        tool = self.tool()
        try:
            return Response(asdict(definition_of(tool)))
        except ConfigError as error:
            raise ConflictError(
                f"The stored configuration is broken: {error.message}",
                code=error.reason,
                findings=findings_of(error, tool.config),
            ) from error

"""The tools: listed, made, changed, deleted."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from agent_tools.api.examples import TEXT
from agent_tools.api.permissions import ModelPermission
from agent_tools.api.schema import TOOL_ID, problems
from agent_tools.api.serializers.tools import ToolSerializer, ToolUpdateSerializer
from agent_tools.api.serializers.types import shown_type_or_problem
from agent_tools.api.views.base import ApiView, ToolView
from agent_tools.models import AgentTool
from agent_tools.registry import registry
from agent_tools.selectors.tools import all_tools
from agent_tools.services.tools import create_tool, delete_tool, update_tool

SLUG_TAKEN = {"slug": ["Another tool has this slug."]}


class ToolListView(ApiView):
    """All tools by sort order; POST makes another one. What a type's config may hold is told by /api/tool-types."""

    name = "Tools"
    permission_classes = [ModelPermission]
    permission_model = AgentTool
    serializer_class = ToolSerializer

    @extend_schema(operation_id="list_tools", responses={200: ToolSerializer(many=True), **problems()})
    def get(self, request: Request) -> Response:
        """List the tools by sort order, then slug."""
        return Response(ToolSerializer(all_tools(), many=True).data)

    @extend_schema(
        operation_id="create_tool", request=ToolSerializer, responses={201: ToolSerializer, **problems(400, 413, 415)}
    )
    def post(self, request: Request) -> Response:
        """Make a tool."""
        serializer = ToolSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        try:
            with transaction.atomic():
                tool = create_tool(**serializer.validated_data)
        except IntegrityError as error:
            raise ValidationError(SLUG_TAKEN) from error
        location = reverse("api:tool", args=[tool.pk], request=request)
        return Response(ToolSerializer(tool).data, status.HTTP_201_CREATED, headers={"Location": location})

    def example_body(self, method: str) -> object:
        """Return a tool of the first type, with its defaults and a slug that is free."""
        for type_name in registry.types():
            kind = shown_type_or_problem(type_name)
            if kind["problem"] is None:
                return {
                    "name": kind["title"],
                    "slug": _free_slug(type_name),
                    "description": kind["summary"],
                    "type": type_name,
                    "config": kind["config_defaults"],
                    "enabled": False,
                    "sort_order": 0,
                }
        return {"name": TEXT, "slug": TEXT, "description": TEXT, "type": TEXT, "config": {}}


@extend_schema(parameters=[TOOL_ID])
class ToolDetailView(ToolView):
    """One tool. PUT replaces it and its config, PATCH changes what it names; secrets left out are kept."""

    name = "Tool"
    permission_classes = [ModelPermission]
    serializer_class = ToolUpdateSerializer

    @extend_schema(operation_id="get_tool", responses={200: ToolSerializer, **problems(404)})
    def get(self, request: Request, pk: str) -> Response:
        """Show a tool, its secrets masked."""
        return Response(ToolSerializer(self.tool()).data)

    @extend_schema(
        operation_id="replace_tool",
        request=ToolUpdateSerializer,
        responses={200: ToolSerializer, **problems(400, 404, 413, 415)},
    )
    def put(self, request: Request, pk: str) -> Response:
        """Replace a tool; what is left out beside name, slug and description stays."""
        return self._change(request, partial=False)

    @extend_schema(
        operation_id="change_tool",
        request=ToolUpdateSerializer(partial=True),
        responses={200: ToolSerializer, **problems(400, 404, 413, 415)},
    )
    def patch(self, request: Request, pk: str) -> Response:
        """Change what the body names, in the config too."""
        return self._change(request, partial=True)

    @extend_schema(operation_id="delete_tool", request=None, responses={204: None, **problems(404)})
    def delete(self, request: Request, pk: str) -> Response:
        """Delete a tool; its logged calls stay."""
        delete_tool(self.tool())
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _change(self, request: Request, *, partial: bool) -> Response:
        data = request.data
        try:
            with transaction.atomic():
                tool = self.tool(lock=True)
                serializer = ToolUpdateSerializer(tool, data=data, partial=partial)
                serializer.is_valid(raise_exception=True)
                changed = update_tool(tool, serializer.validated_data)
        except IntegrityError as error:
            raise ValidationError(SLUG_TAKEN) from error
        return Response(ToolSerializer(changed).data)

    def example_body(self, method: str) -> object:
        """Return the tool as it is, without what cannot be changed."""
        serializer = ToolUpdateSerializer(self.tool())
        return {key: value for key, value in serializer.data.items() if not serializer.fields[key].read_only}

    def get_extra_action_url_map(self) -> dict[str, str]:
        """Return the addresses below this one, for the browsable page's menu."""
        names = {"Execute": "api:execute", "Definition": "api:definition"}
        return {title: reverse(name, args=[self.kwargs["pk"]]) for title, name in names.items()}


def _free_slug(wanted: str) -> str:
    taken = set(AgentTool.objects.filter(slug__startswith=wanted).values_list("slug", flat=True))
    numbers = (number for number in range(2, len(taken) + 3) if f"{wanted}_{number}" not in taken)
    return f"{wanted}_{next(numbers)}" if wanted in taken else wanted

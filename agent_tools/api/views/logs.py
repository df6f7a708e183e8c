"""The logged calls, to be read and never edited."""

from __future__ import annotations

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from agent_tools.api.errors import Finding, InvalidQueryError
from agent_tools.api.filters import StrictFilterBackend, ToolLogFilter
from agent_tools.api.pagination import NewestFirst
from agent_tools.api.permissions import ModelPermission
from agent_tools.api.schema import problems
from agent_tools.api.serializers.logs import BIG_FIELDS, ToolLogRowSerializer, ToolLogSerializer
from agent_tools.api.views.base import ApiView
from agent_tools.models import AgentToolLog
from agent_tools.selectors.identifiers import row_id, uuid_or_none

JSON = "application/json"
SWITCH = {"1": True, "true": True, "0": False, "false": False}


class LogListView(ApiView, GenericAPIView[AgentToolLog]):
    """Every call, the newest first, whoever made it. Rows come without input, output, content and metadata unless
    full=1 asks for them.
    """

    name = "Tool logs"
    permission_classes = [ModelPermission]
    permission_model = AgentToolLog
    serializer_class = ToolLogRowSerializer
    filter_backends = [StrictFilterBackend]
    filterset_class = ToolLogFilter
    pagination_class = NewestFirst
    further_parameters = ("cursor", "page_size", "full", "format")

    def get_queryset(self) -> QuerySet[AgentToolLog]:
        rows = AgentToolLog.objects.select_related("user").order_by("-id")
        return rows if self.full() else rows.defer(*BIG_FIELDS)

    @extend_schema(
        operation_id="list_tool_logs",
        parameters=[
            OpenApiParameter("full", OpenApiTypes.BOOL, description="Rows as they are shown one by one."),
        ],
        responses={(200, JSON): ToolLogRowSerializer(many=True), **problems(400)},
    )
    def get(self, request: Request) -> Response:
        """List the calls, the newest first."""
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        serializer_class = ToolLogSerializer if self.full() else ToolLogRowSerializer
        return self.get_paginated_response(serializer_class(page, many=True).data)

    def full(self) -> bool:
        """Tell whether whole rows are asked for."""
        text = self.request.query_params.get("full", "0")
        if text not in SWITCH:
            raise InvalidQueryError([Finding("Give 1 or 0.", parameter="full")])
        return SWITCH[text]


class LogDetailView(ApiView):
    """One call, whole: by the number of its row, or by the call_id that running it gave."""

    name = "Tool log"
    permission_classes = [ModelPermission]
    permission_model = AgentToolLog

    @extend_schema(
        operation_id="get_tool_log",
        parameters=[
            OpenApiParameter("id", str, OpenApiParameter.PATH, description="The row's number, or the call's UUID."),
        ],
        responses={200: ToolLogSerializer, **problems(404)},
    )
    def get(self, request: Request, id: str) -> Response:  # noqa: A002 - the address's own word
        """Show a call."""
        row = self._rows(id).select_related("user").first()
        if row is None:
            raise NotFound(f"There is no logged call {id[:50]!r}; give the number of its row or its call_id.")
        return Response(ToolLogSerializer(row).data)

    def _rows(self, text: str) -> QuerySet[AgentToolLog]:
        if (number := row_id(text)) is not None:
            return AgentToolLog.objects.filter(pk=number)
        call_id = uuid_or_none(text)
        return AgentToolLog.objects.filter(call_id=call_id) if call_id is not None else AgentToolLog.objects.none()

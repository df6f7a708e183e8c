"""What every view of the API shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.permissions import BasePermission, IsAdminUser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from agent_tools.api.errors import LengthRequiredError
from agent_tools.api.parsers import StrictJSONParser
from agent_tools.api.renderers import PrefilledBrowsableAPIRenderer
from agent_tools.models import AgentTool
from agent_tools.selectors.identifiers import uuid_or_none


class Uncached(APIView):
    """Answers are not for caches."""

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


class ApiView(Uncached):
    """JSON in and out, for staff alone."""

    parser_classes = [StrictJSONParser]
    renderer_classes = [JSONRenderer, PrefilledBrowsableAPIRenderer]
    permission_classes: Sequence[type[BasePermission]] = [IsAdminUser]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if "Transfer-Encoding" in request.headers and not request.META.get("CONTENT_LENGTH"):
            raise LengthRequiredError

    def example_body(self, method: str) -> object:
        """Return a body that works, for the form of the browsable page; none for no form."""
        return None


class ToolView(ApiView):
    """A view of one tool, whose id is in the address as `pk`."""

    permission_model = AgentTool

    def tool(self, *, lock: bool = False) -> AgentTool:
        """Return the tool of the address, inside a transaction locked for a change; raises `NotFound`."""
        text = str(self.kwargs["pk"])
        identifier = uuid_or_none(text)
        rows = AgentTool.objects.select_for_update() if lock else AgentTool.objects.all()
        tool = rows.filter(pk=identifier).first() if identifier is not None else None
        if tool is None:
            raise NotFound(f"There is no tool with the id {text[:50]!r}.")
        return tool

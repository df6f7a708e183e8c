"""Where the API begins, and what it says of an address that it does not have."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from agent_tools.api.views.base import ApiView

PLACES = {
    "agent_tools": "api:tools",
    "tool_types": "api:types",
    "tool_logs": "api:logs",
    "schema": "api:schema",
}


class RootView(ApiView):
    """Manage and run the tools that language models may use."""

    name = "Agent Tools API"

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        """Name the places to go on from."""
        return Response({name: reverse(place, request=request) for name, place in PLACES.items()})


class NowhereView(ApiView):
    """There is nothing at this address."""

    name = "Nothing here"
    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = []
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise NotFound(f"There is nothing at {request.path[:200]!r}; /api/ names the places there are.")


_nowhere = NowhereView.as_view()


@csrf_exempt
def nowhere(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
    """Answer 404 as a problem; a plain function, so that breadcrumbs do not take it for a page."""
    return _nowhere(request, **kwargs)

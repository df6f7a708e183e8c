"""The OpenAPI document."""

from __future__ import annotations

from drf_spectacular.views import SpectacularAPIView

from agent_tools.api.views.base import Uncached


class SchemaView(Uncached, SpectacularAPIView):
    """Describes this API (OpenAPI 3), as YAML or, where it is asked for, as JSON."""

    name = "Schema"
    schema = None

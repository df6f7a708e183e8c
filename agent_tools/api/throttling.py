"""How often one caller may ask, and run one tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle

from agent_tools.selectors.identifiers import uuid_or_none

if TYPE_CHECKING:  # the framework imports this module while it defines its views
    from rest_framework.views import APIView


class ApiThrottle(SimpleRateThrottle):
    """Counts a user's requests; nobody else gets as far as this. The rate is the setting of the moment."""

    scope = "api"

    def get_rate(self) -> str | None:
        return cast("str | None", api_settings.DEFAULT_THROTTLE_RATES[self.scope])

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        if not request.user.is_authenticated:
            return None
        return self.cache_format % {"scope": self.scope, "ident": f"{request.user.pk}{self.what(view)}"}

    def what(self, view: APIView) -> str:
        """Return what is counted on its own for each user; empty for everything together."""
        return ""

    def wait(self) -> float | None:
        """Return the seconds until the next request may come; the whole period when the limit was just lowered."""
        wait = super().wait()
        return wait if wait is not None else getattr(self, "duration", None)


class ExecuteThrottle(ApiThrottle):
    """Counts a user's runs of one tool."""

    scope = "execute"

    def what(self, view: APIView) -> str:
        return f"_{uuid_or_none(str(view.kwargs.get('pk', '')))}"

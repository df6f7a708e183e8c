"""The Content Security Policy: what a page may load and run, whatever text stands in it."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

HEADER = "Content-Security-Policy"
# Their templates carry style attributes; scripts stay in files everywhere.
WITH_INLINE_STYLE = ("/admin/", "/api/")


def policy(host: str, path: str) -> str:
    """Return the policy for a path; `host` is named for WebSockets, which not every browser counts as 'self'."""
    style = "'self' 'unsafe-inline'" if path.startswith(WITH_INLINE_STYLE) else "'self'"
    return "; ".join(
        (
            "default-src 'self'",
            f"connect-src 'self' ws://{host} wss://{host}",
            "img-src 'self' data:",
            f"style-src {style}",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


class ContentSecurityPolicyMiddleware:
    """Gives every response a policy, unless its view gave one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if HEADER not in response:
            response[HEADER] = policy(request.get_host(), request.path)
        return response

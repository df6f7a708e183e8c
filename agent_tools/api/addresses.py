"""Addresses that end with or without a slash, without a redirect (which would lose a body)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http.response import HttpResponseBase
from django.urls import URLPattern
from django.urls.resolvers import RoutePattern


class EitherSlashPattern(RoutePattern):
    """A route, written without its last slash, that is matched with one too."""

    def match(self, path: str) -> tuple[str, tuple[Any, ...], dict[str, Any]] | None:
        return super().match(path.removesuffix("/"))


def address(route: str, view: Callable[..., HttpResponseBase], name: str) -> URLPattern:
    """Return the pattern of an address; its canonical form is the one without the slash."""
    return URLPattern(EitherSlashPattern(route, name=name, is_endpoint=True), view, name=name)

"""Addresses under /api/."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path, re_path

from agent_tools.api.addresses import address
from agent_tools.api.views.calls import DefinitionView, ExecuteView
from agent_tools.api.views.logs import LogDetailView, LogListView
from agent_tools.api.views.openapi import SchemaView
from agent_tools.api.views.root import RootView, nowhere
from agent_tools.api.views.tools import ToolDetailView, ToolListView
from agent_tools.api.views.types import InputSchemaView, TypeDetailView, TypeListView

places: list[URLPattern] = [
    address("", RootView.as_view(), "root"),
    address("agent-tools", ToolListView.as_view(), "tools"),
    address("agent-tools/<str:pk>", ToolDetailView.as_view(), "tool"),
    address("agent-tools/<str:pk>/execute", ExecuteView.as_view(), "execute"),
    address("agent-tools/<str:pk>/definition", DefinitionView.as_view(), "definition"),
    address("tool-types", TypeListView.as_view(), "types"),
    address("tool-types/<str:type>", TypeDetailView.as_view(), "type"),
    address("tool-types/<str:type>/input-schema", InputSchemaView.as_view(), "input-schema"),
    address("tool-logs", LogListView.as_view(), "logs"),
    address("tool-logs/<str:id>", LogDetailView.as_view(), "log"),
    address("schema", SchemaView.as_view(), "schema"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include((places, "api"))),
    path("auth/", include("rest_framework.urls")),
    re_path("", nowhere, name="api-nowhere"),
]

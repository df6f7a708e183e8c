"""Every error has the one shape, and a bug is told vaguely."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.exceptions import ValidationError as ModelValidationError
from django.core.signals import got_request_exception
from django.http import Http404, UnreadablePostError
from rest_framework.exceptions import NotFound, Throttled, ValidationError
from rest_framework.test import APIClient

from agent_tools.api.problems import exception_handler
from agent_tools.contract.errors import (
    ConfigError,
    InvalidInputError,
    Problem,
    ToolError,
    UnavailableError,
    UnknownToolTypeError,
)
from agent_tools.models import AgentTool


def body_of(exc: Exception) -> dict[str, Any]:
    response = exception_handler(exc, {})
    body: dict[str, Any] = json.loads(response.rendered_content)
    assert body["status"] == response.status_code
    assert {"type", "title", "status", "detail", "errors"} <= set(body)
    assert response["Content-Type"] == "application/problem+json"
    return body


@pytest.mark.parametrize(
    ("exc", "status", "code"),
    [
        (Http404("secret path"), 404, "not_found"),
        (NotFound("There is no such tool."), 404, "not_found"),
        (PermissionDenied(), 403, "permission_denied"),
        (RequestDataTooBig(), 413, "body_too_large"),
        (SuspiciousOperation("x"), 400, "parse_error"),
        (UnreadablePostError("x"), 400, "parse_error"),
        (Throttled(5), 429, "throttled"),
        (ValidationError({"name": ["no"]}), 400, "invalid_input"),
        (ModelValidationError({"name": ["no"]}), 400, "invalid_input"),
        (InvalidInputError([Problem("a", "no")]), 400, "invalid_input"),
        (ConfigError([Problem("a", "no")]), 400, "invalid_config"),
        (UnknownToolTypeError("no type"), 500, "unknown_tool_type"),
        (UnavailableError("no key", reason="no_secret_key"), 503, "no_secret_key"),
        (ToolError("broke"), 500, "tool_error"),
    ],
)
def test_each_error_has_its_status_and_its_code(exc: Exception, status: int, code: str) -> None:
    body = body_of(exc)
    assert body["status"] == status
    assert body["type"] == f"urn:agent-tools:problem:{code}"


@pytest.mark.parametrize(
    ("exc", "pointers"),
    [
        (ValidationError({"a": {"b": ["no", "nor"]}, "c": ["no"]}), ["/a/b", "/a/b", "/c"]),
        (ValidationError(["no"]), [""]),
        (ValidationError({"non_field_errors": ["no"]}), [""]),
        (ValidationError([{}, {"a": ["no"]}]), ["/1/a"]),
        (ValidationError({"a/b~c": ["no"]}), ["/a~1b~0c"]),
        (ModelValidationError({"slug": ["no"], "__all__": ["never"]}), ["/slug", ""]),
        (ModelValidationError("no"), [""]),
        (ConfigError([Problem("headers.0.name", "no"), Problem("", "no")]), ["/config/headers/0/name", "/config"]),
    ],
)
def test_each_finding_points_at_its_place(exc: Exception, pointers: list[str]) -> None:
    assert [finding["pointer"] for finding in body_of(exc)["errors"]] == pointers


def test_the_detail_names_the_first_findings_and_counts_the_rest() -> None:
    detail = body_of(ValidationError({f"field{number}": ["no"] for number in range(8)}))["detail"]
    assert detail.startswith("field0: no; field1: no")
    assert detail.endswith("; and 3 more.")


def test_a_bug_is_logged_whole_and_told_vaguely(
    api: APIClient, greeter: AgentTool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: Any, **kwargs: Any) -> Any:
        raise ZeroDivisionError("inner detail")

    heard: list[object] = []
    monkeypatch.setattr("agent_tools.api.views.tools.all_tools", broken)
    got_request_exception.connect(lambda **kwargs: heard.append(kwargs), weak=False, dispatch_uid="heard")
    api.raise_request_exception = False
    try:
        with caplog.at_level(logging.ERROR):
            answer = api.get("/api/agent-tools")
    finally:
        got_request_exception.disconnect(dispatch_uid="heard")
    assert answer.status_code == 500
    assert answer.json()["type"] == "urn:agent-tools:problem:internal_error"
    assert "inner detail" not in answer.content.decode()
    assert "inner detail" in caplog.text
    assert heard


@pytest.mark.parametrize("accept", ["application/json", "*/*", "application/xml", "application/problem+json", "text/x"])
def test_a_problem_has_its_media_type_whatever_is_asked_for(db: None, accept: str) -> None:
    answer = APIClient().get("/api/agent-tools", headers={"accept": accept})
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.status_code in {401, 406}


@pytest.mark.parametrize("format_name", ["xml", "%00", "json5"])
def test_a_format_that_is_not_known_is_a_404(api: APIClient, format_name: str) -> None:
    answer = api.get(f"/api/agent-tools?format={format_name}")
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"

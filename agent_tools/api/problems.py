"""Errors in one shape: problem details for HTTP (RFC 9457), with one finding per wrong place."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.exceptions import ValidationError as ModelValidationError
from django.core.signals import got_request_exception
from django.http import Http404, UnreadablePostError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from agent_tools.api.errors import BodyTooLargeError, Finding
from agent_tools.api.pointers import flattened, located, pointer
from agent_tools.contract.errors import (
    AgentToolsError,
    ConfigError,
    InvalidInputError,
    UnavailableError,
)

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:agent-tools:problem:"
FINDINGS_IN_DETAIL = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemDetails:
    """One problem: `code` is stable and becomes its type and title, `more` holds members of that type alone."""

    status: int
    code: str
    detail: str
    findings: Sequence[Finding] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the JSON-ready body."""
        return {
            "type": TYPE_PREFIX + self.code,
            "title": self.code.replace("_", " ").capitalize(),
            "status": self.status,
            "detail": self.detail,
            "errors": [finding.as_json() for finding in self.findings],
            **self.more,
        }


class ProblemResponse(Response):
    """A problem as `application/problem+json`, whatever was asked for, but for the browsable pages."""

    @property
    def rendered_content(self) -> bytes:  # type: ignore[override] # bytes, as the framework's own
        renderer = getattr(self, "accepted_renderer", None)
        if renderer is not None and renderer.format == "api":
            content: bytes = super().rendered_content
            return content
        self["Content-Type"] = MEDIA_TYPE
        return json.dumps(self.data, ensure_ascii=False).encode("utf-8", "backslashreplace")


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> Response:
    """Turn whatever a view raises into a problem; a bug is logged with its traceback and told vaguely."""
    problem = problem_of(exc)
    if problem is None:
        request = context.get("request")
        got_request_exception.send(sender=None, request=getattr(request, "_request", request))
        logger.error("Unexpected error in the API", exc_info=exc)
        problem = ProblemDetails(
            status=HTTPStatus.INTERNAL_SERVER_ERROR,
            code="internal_error",
            detail="Something went wrong on the server; its log has the details.",
        )
    set_rollback()
    return ProblemResponse(problem.as_json(), status=problem.status, headers=dict(problem.headers))


def problem_of(exc: Exception) -> ProblemDetails | None:
    """Return the problem an exception stands for, or none for a bug."""
    if isinstance(exc, AgentToolsError):
        return _own(exc)
    if isinstance(exc, ModelValidationError):
        return _of_model(exc)
    known = _as_api_exception(exc)
    return _of_framework(known) if known is not None else None


def invalid(findings: Sequence[Finding], *, code: str = "invalid_input") -> ProblemDetails:
    """Return the problem of a body whose content is wrong; its detail names the first few findings."""
    told = "; ".join(str(finding).rstrip(".") for finding in findings[:FINDINGS_IN_DETAIL])
    rest = len(findings) - FINDINGS_IN_DETAIL
    return ProblemDetails(
        status=HTTPStatus.BAD_REQUEST,
        code=code,
        detail=f"{told}; and {rest} more." if rest > 0 else f"{told}.",
        findings=findings,
    )


def findings_of(error: InvalidInputError, value: object = None) -> list[Finding]:
    """Return one finding a problem, those of a configuration below `/config`; `value` is what was submitted."""
    above: list[str | int] = ["config"] if isinstance(error, ConfigError) else []
    return [
        Finding(problem.message, pointer=pointer(above + located(problem.field, value))) for problem in error.problems
    ]


def _own(error: AgentToolsError) -> ProblemDetails:
    if isinstance(error, InvalidInputError):
        return invalid(findings_of(error), code=error.reason)
    status = HTTPStatus.SERVICE_UNAVAILABLE if isinstance(error, UnavailableError) else HTTPStatus.INTERNAL_SERVER_ERROR
    return ProblemDetails(status=status, code=error.reason, detail=error.message)


def _of_model(error: ModelValidationError) -> ProblemDetails:
    by_field = error.message_dict if hasattr(error, "error_dict") else {NON_FIELD_ERRORS: error.messages}
    return invalid(
        [
            Finding(str(message), pointer="" if name == NON_FIELD_ERRORS else pointer([name]))
            for name, messages in by_field.items()
            for message in messages
        ]
    )


def _as_api_exception(exc: Exception) -> exceptions.APIException | None:
    if isinstance(exc, exceptions.APIException):
        return exc
    if isinstance(exc, Http404):
        return exceptions.NotFound()
    if isinstance(exc, PermissionDenied):
        return exceptions.PermissionDenied()
    if isinstance(exc, RequestDataTooBig):
        return BodyTooLargeError()
    if isinstance(exc, SuspiciousOperation | UnreadablePostError):
        return exceptions.ParseError("The request cannot be read.")
    return None


def _of_framework(exc: exceptions.APIException) -> ProblemDetails:
    if isinstance(exc, exceptions.ValidationError):
        return invalid([Finding(message, pointer=place) for place, message in flattened(exc.detail)])
    headers: dict[str, str] = {}
    more: dict[str, Any] = {}
    if auth_header := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = auth_header
    if wait := getattr(exc, "wait", None):
        headers["Retry-After"] = str(wait)
        more["retry_after"] = wait
    codes = exc.get_codes()
    return ProblemDetails(
        status=exc.status_code,
        code=codes if isinstance(codes, str) else exc.default_code,
        detail=str(exc.detail),
        findings=getattr(exc, "findings", ()),
        headers=headers,
        more=more,
    )

"""What only the API refuses: bodies and queries that cannot be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from rest_framework.exceptions import APIException, ParseError


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: `pointer` (RFC 6901) says where in the body, `parameter` which query parameter."""

    detail: str
    pointer: str | None = None
    parameter: str | None = None

    def __str__(self) -> str:
        place = self.parameter or (self.pointer or "").lstrip("/")
        return f"{place}: {self.detail}" if place else self.detail

    def as_json(self) -> dict[str, str]:
        """Return the JSON-ready object; a finding without a place points at the whole body."""
        place = {"parameter": self.parameter} if self.parameter is not None else {"pointer": self.pointer or ""}
        return {**place, "detail": self.detail}


class MalformedBodyError(ParseError):
    """The body is no JSON that this API reads; HTTP 400."""

    default_code = "malformed_body"

    def __init__(self, detail: str, *, pointer: str | None = None) -> None:
        super().__init__(detail)
        self.findings: tuple[Finding, ...] = () if pointer is None else (Finding(detail, pointer=pointer),)


class InvalidQueryError(APIException):
    """Query parameters are wrong; HTTP 400."""

    status_code = HTTPStatus.BAD_REQUEST
    default_code = "invalid_query"

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__("; ".join(map(str, findings)))
        self.findings = tuple(findings)


class BodyTooLargeError(APIException):
    """The body is larger than the API takes; HTTP 413."""

    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    default_code = "body_too_large"
    default_detail = "The body is larger than this server takes."


class LengthRequiredError(APIException):
    """The body comes without its length; HTTP 411."""

    status_code = HTTPStatus.LENGTH_REQUIRED
    default_code = "length_required"
    default_detail = "Send the body with a Content-Length, not chunked."


class ConflictError(APIException):
    """The stored state does not allow what was asked; HTTP 409."""

    status_code = HTTPStatus.CONFLICT
    default_code = "conflict"

    def __init__(self, detail: str, *, code: str | None = None, findings: Sequence[Finding] = ()) -> None:
        super().__init__(detail, code)
        self.findings = tuple(findings)

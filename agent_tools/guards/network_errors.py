"""What can go wrong between a tool and the web, one class and one stable reason for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from agent_tools.contract.errors import RefusedError, ToolError, ToolTimeoutError

if TYPE_CHECKING:
    from agent_tools.guards.response import Response


class InvalidUrlError(ToolError):
    """The text is no URL that may be fetched; nothing was looked up."""

    default_reason: ClassVar[str] = "invalid_url"
    nothing_done = True


class RefusedAddressError(RefusedError):
    """The host is, or leads to, an address that is closed to tools; nothing was connected."""

    default_reason: ClassVar[str] = "refused_address"


class DomainNotAllowedError(RefusedError):
    """The host is blocked, or not among the allowed domains; nothing was looked up."""

    default_reason: ClassVar[str] = "domain_not_allowed"


class HeaderNotAllowedError(RefusedError):
    """A request header is malformed or not for the model to set; nothing was sent."""

    default_reason: ClassVar[str] = "header_not_allowed"


class NameNotFoundError(ToolError):
    """The name has no address, or could not be looked up."""

    default_reason: ClassVar[str] = "name_not_found"
    nothing_done = True


class ConnectionRefusedByPeerError(ToolError):
    """Nothing listens at the address and port."""

    default_reason: ClassVar[str] = "connection_refused"
    nothing_done = True


class ConnectionFailedError(ToolError):
    """The connection could not be made, or broke."""

    default_reason: ClassVar[str] = "connection_failed"


class TlsFailedError(ToolError):
    """There is no secure connection: the certificate or the handshake is bad."""

    default_reason: ClassVar[str] = "tls_failed"


class BadResponseError(ToolError):
    """The server's answer is no valid HTTP."""

    default_reason: ClassVar[str] = "bad_response"


class TooManyRedirectsError(ToolError):
    """More redirects than the request allows."""

    default_reason: ClassVar[str] = "too_many_redirects"


class DeadlineError(ToolTimeoutError):
    """The request's one deadline passed; `partial` is what had arrived of the body, None before its first byte."""

    partial: Response | None = None


def at_hop(error: ToolError, hop: int, where: str) -> None:
    """Say in `error` at which redirect it happened (0: the first request), and between which URLs: `to …`, `from …`.
    Behind a redirect something was done: the first request.
    """
    if "hop" in error.details:
        return
    error.details["hop"] = hop
    if hop:
        error.nothing_done = False
        error.message = f"{error.message.removesuffix('.')} (at redirect {hop}, {where})."
        error.args = (error.message,)

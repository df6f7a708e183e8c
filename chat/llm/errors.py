"""The errors of a language model's provider: one tree into which both client libraries' trees are translated."""

from __future__ import annotations

from typing import Any, ClassVar

from agent_tools.contract.errors import AgentToolsError


class ProviderError(AgentToolsError):
    """A model could not be reached, refused the request or broke off.

    `reason` is the stable code and `message` says what to do. `words` are the provider's own, trimmed and free of
    secrets; `code` and `param` are its own too. `retry_after` is in seconds. `retryable` tells whether the same
    request may succeed later; whether it may be repeated depends on what was shown already.
    """

    default_reason = "provider_error"
    default_retryable: ClassVar[bool] = False

    def __init__(
        self,
        message: str,
        *,
        reason: str = "",
        retryable: bool | None = None,
        status: int | None = None,
        code: str = "",
        param: str = "",
        words: str = "",
        request_id: str = "",
        retry_after: float | None = None,
    ) -> None:
        facts: dict[str, Any] = {
            "status": status,
            "code": code,
            "param": param,
            "words": words,
            "request_id": request_id,
            "retry_after": retry_after,
        }
        super().__init__(message, reason=reason, details={name: fact for name, fact in facts.items() if fact})
        self.retryable = self.default_retryable if retryable is None else retryable
        self.status = status
        self.code = code
        self.param = param
        self.words = words
        self.request_id = request_id
        self.retry_after = retry_after


class UnreachableError(ProviderError):
    """No connection: name, route, port, or it was reset."""

    default_reason = "provider_unreachable"
    default_retryable = True


class TlsError(ProviderError):
    """The connection cannot be trusted."""

    default_reason = "provider_tls"


class ProviderTimeoutError(ProviderError):
    """One of the clocks ran out; the reason names which."""

    default_reason = "provider_timeout"
    default_retryable = True


class BadKeyError(ProviderError):
    """The key is missing, wrong or may not do this (401, 403)."""

    default_reason = "provider_bad_key"


class UnknownModelError(ProviderError):
    """The provider does not know the model, or the base URL leads elsewhere (404)."""

    default_reason = "provider_unknown_model"


class QuotaError(ProviderError):
    """The account has no credit or quota left (402, 429 with such a code)."""

    default_reason = "provider_quota"


class RateLimitedError(ProviderError):
    """Too many requests (429)."""

    default_reason = "provider_rate_limited"
    default_retryable = True


class ContextTooLongError(ProviderError):
    """The request is larger than the model's context window."""

    default_reason = "provider_context_too_long"


class RequestRefusedError(ProviderError):
    """The provider does not accept the request as it is (400, 422 and their kind); `param` may name the culprit."""

    default_reason = "provider_refused_request"


class ContentFilteredError(ProviderError):
    """A filter of the provider withheld the answer."""

    default_reason = "provider_content_filter"


class OverloadedError(ProviderError):
    """The provider failed or is overloaded (408, 409, 5xx)."""

    default_reason = "provider_failed"
    default_retryable = True


class StreamBrokenError(ProviderError):
    """The stream ended, was reset or became unreadable before its end."""

    default_reason = "provider_stream_broken"
    default_retryable = True


class NotAStreamError(ProviderError):
    """Something else than a completion came back: a web page, other JSON, nothing."""

    default_reason = "provider_not_a_completion"


class EmptyReplyError(ProviderError):
    """The response ended well and holds nothing."""

    default_reason = "provider_empty_reply"
    default_retryable = True

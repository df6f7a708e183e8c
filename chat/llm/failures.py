"""Gives each failure its type, its code and a sentence that says what to do."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from typing import Final

from chat.llm import errors
from chat.llm.facts import Facts

_CONTEXT: Final = re.compile(
    r"context[ _-]?(length|window|size)|maximum (context|prompt)|too many (input )?tokens"
    r"|(prompt|input|request) (is |was )?too (long|large)|exceed\w* .{0,40}(context|max_model_len|token limit)"
    r"|reduce the length of the (messages|prompt)"
)
_QUOTA: Final = re.compile(
    r"insufficient[ _](quota|balance|credit|fund)|billing_hard_limit|out of credits?|not enough credits?"
    r"|credit balance is too low|requires more credits|(account|balance).{0,30}(overdue|arrears|depleted)"
)
_MODEL: Final = re.compile(r"\bmodels?\b|\bdeployment\b|\bendpoints?\b")
_UNKNOWN_MODEL: Final = re.compile(
    r"model.{0,80}(not found|does not exist|not exist|unknown|not supported on|is not a valid|not available)"
    r"|(unknown|no such|invalid|unsupported) model\b|model_not_found"
)
_KEY: Final = re.compile(
    r"(invalid|incorrect|missing|wrong|expired|no) (api|auth)[ _-]?(key|token)|invalid_api_key"
    r"|authentication|unauthori[sz]ed"
)
_FILTER: Final = re.compile(
    r"content[ _](filter|management|policy)|responsible ?ai|data_inspection_failed|safety system"
)
_RATE: Final = re.compile(
    r"rate[ _-]?limit|too many requests|resource_exhausted|throttl|tokens per minute|queue is full"
)
_OVERLOAD: Final = re.compile(
    r"overload|server[ _]error|internal[ _]error|service[ _]unavailable|timed? ?out|capacity|try again later"
)


@dataclass(frozen=True, slots=True)
class _Rule:
    """`when` lists statuses (none: reported inside a stream without one) and what the words must match beside."""

    error: type[errors.ProviderError]
    sentence: str
    when: tuple[tuple[Container[int | None], re.Pattern[str] | None], ...]
    reason: str = ""
    markup: bool = True

    def fits(self, facts: Facts, text: str) -> bool:
        if facts.markup and not self.markup:
            return False
        return any(facts.status in statuses and (not words or words.search(text)) for statuses, words in self.when)


# The first that fits wins: what the words say is more exact than the status, where providers disagree on the status.
_RULES: Final = (
    _Rule(
        errors.ContextTooLongError,
        "The conversation is longer than this model can read. Compact it, or choose a model with a larger window.",
        (({400, 413, 422, 500, None}, _CONTEXT),),
    ),
    _Rule(
        errors.QuotaError,
        "The provider's account has no credit or quota left. An operator must top it up or choose another model.",
        (({402}, None), ({400, 403, 429, None}, _QUOTA)),
    ),
    _Rule(
        errors.ContentFilteredError,
        "The provider's content filter refused this. Word the request differently.",
        (({400, 403, 422, None}, _FILTER),),
    ),
    _Rule(
        errors.RateLimitedError,
        "The provider takes no more requests just now. Try again in a while.",
        (({429}, None), ({None}, _RATE)),
    ),
    _Rule(
        errors.BadKeyError,
        "The provider does not accept the key. An operator must check the variable that this model names for it.",
        (({401}, None), ({400, None}, _KEY)),
    ),
    _Rule(
        errors.BadKeyError,
        "The key may not use this model or this address. An operator must check the key's rights.",
        (({403}, None),),
        "provider_forbidden",
    ),
    _Rule(
        errors.UnknownModelError,
        "The provider does not know this model. An operator must check the model's id.",
        (({404}, _MODEL), ({400, 422, None}, _UNKNOWN_MODEL)),
        markup=False,
    ),
    _Rule(
        errors.UnknownModelError,
        "Nothing answers chat completions at this address. An operator must check the base URL; it often ends in /v1.",
        (({404, 405, 410, 501}, None),),
        "provider_wrong_address",
    ),
    _Rule(
        errors.UnknownModelError,
        "The provider has moved to another address. An operator must enter the new base URL.",
        ((range(300, 400), None),),
        "provider_moved",
    ),
    _Rule(
        errors.OverloadedError,
        "The provider failed or is overloaded. Try again in a while.",
        (({408, 409, 425}, None), (range(500, 600), None), ({None}, _OVERLOAD)),
    ),
    _Rule(
        errors.RequestRefusedError,
        "The provider does not accept the request.",
        ((range(600), None),),
    ),
)
_UNTOLD = _Rule(errors.OverloadedError, "The provider reported an error.", (), "provider_error")


def failure(
    facts: Facts, *, request_id: str = "", retry_after: float | None = None, may_retry: bool | None = None
) -> errors.ProviderError:
    """Return the error for these facts; `may_retry` is the provider's own word on it, where it gave one."""
    text = f"{facts.code} {facts.kind} {facts.words}".lower()
    rule = next((rule for rule in _RULES if rule.fits(facts, text)), _UNTOLD)
    said = f' It says: "{facts.words}"' if facts.words else ""
    return rule.error(
        rule.sentence + said,
        reason=rule.reason,
        retryable=may_retry,
        status=facts.status,
        code=facts.code,
        param=facts.param,
        words=facts.words,
        request_id=request_id,
        retry_after=retry_after,
    )

"""Says in the operator's language what went wrong with a provider, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from agent_tools.contract.errors import InvalidInputError
from chat.llm.errors import ProviderError

Texts = tuple[str | Promise, str | Promise]


@dataclass(frozen=True, slots=True)
class Words:
    """What happened, and what to do."""

    told: str
    advice: str


_LATER: Final = lazy("Try again in a while.")
_ADDRESS: Final = lazy(
    "Check the base URL, and whether the server runs. Inside a container 127.0.0.1 is the container itself."
)
_LONGER: Final = lazy("A server that loads its model on first use may need longer: try again.")
_RIGHTS: Final = lazy("Check the key’s rights at the provider, and that the key belongs to this base URL.")

_REASONS: Final[dict[str, Texts]] = {
    "provider_unreachable": (lazy("There is no way to the server."), _ADDRESS),
    "provider_connect_timeout": (lazy("The server did not take the connection in time."), _ADDRESS),
    "provider_tls": (
        lazy("The connection cannot be trusted."),
        lazy(
            "Check whether the base URL should begin with http://, or install the certificate’s authority on this "
            "machine."
        ),
    ),
    "provider_no_answer": (lazy("The server took the request and said nothing in time."), _LONGER),
    "provider_silent": (lazy("The model began to answer and fell silent."), _LATER),
    "provider_timeout": (lazy("The model did not finish in time."), _LONGER),
    "provider_bad_key": (
        lazy("The provider does not accept the key."),
        lazy("Check what the environment variable holds, and that the key belongs to this base URL."),
    ),
    "provider_forbidden": (lazy("The key may not use this model or this address."), _RIGHTS),
    "provider_unknown_model": (
        lazy("The provider does not know this model."),
        lazy("Copy the model’s name exactly as the provider lists it."),
    ),
    "provider_wrong_address": (
        lazy("Nothing answers chat completions at this address."),
        lazy("Check the path of the base URL: it often ends in /v1."),
    ),
    "provider_moved": (
        lazy("The provider has moved to another address."),
        lazy("Enter the new base URL: redirects are not followed, since the key would go along."),
    ),
    "provider_quota": (
        lazy("The account has no credit or quota left."),
        lazy("Top it up at the provider, or choose another model."),
    ),
    "provider_rate_limited": (lazy("The provider takes no more requests just now."), _LATER),
    "provider_context_too_long": (
        lazy("The provider finds even this short request too long."),
        lazy("Check how large a context the server was started with."),
    ),
    "provider_refused_request": (
        lazy("The provider does not accept the request."),
        lazy("Look for the culprit among the extra parameters first."),
    ),
    "provider_content_filter": (
        lazy("A filter of the provider withheld the answer."),
        lazy("Check the filter’s settings at the provider: the question was harmless."),
    ),
    "provider_failed": (lazy("The provider failed or is overloaded."), _LATER),
    "provider_error": (lazy("The provider reported an error."), _LATER),
    "provider_stream_broken": (
        lazy("The answer broke off before its end."),
        lazy("Try again; where it happens each time, look at proxies between here and the provider."),
    ),
    "provider_not_a_completion": (
        lazy("Something else than an answer came back: a web page, say."),
        lazy("Check the path of the base URL: it often ends in /v1. A sign-in page of a proxy looks like this too."),
    ),
    "provider_empty_reply": (
        lazy("The answer was empty."),
        lazy("Try again; a model that is not made for conversations may stay silent."),
    ),
}

_FIELDS: Final[dict[str, Texts]] = {
    "base_url": (lazy("The base URL is none."), lazy("Enter one such as https://api.openai.com/v1.")),
    "model": (lazy("No model is named."), lazy("Enter the provider’s name for the model.")),
    "api_key": (
        lazy("The key holds characters that no header may carry."),
        lazy("Look for a blank or a line end in the environment variable."),
    ),
    "key_variable": (
        lazy("The key variable has no allowed name."),
        lazy("Only variables named …_API_KEY are read."),
    ),
}


def words_of(error: ProviderError) -> Words:
    """Return the words for a provider's error, the provider's own among them."""
    told, advice = _REASONS.get(error.reason, (error.message, ""))
    if error.reason not in _REASONS or not error.words:
        return Words(str(told), str(advice))
    said = _("It says: “%(words)s”") % {"words": error.words}
    return Words(f"{told} {said}", str(advice))


def words_of_row(error: InvalidInputError, key_variable: str) -> Words:
    """Return the words for a row with which no request can be made."""
    if error.reason == "no_key":
        told = _("The environment of this server has no %(name)s.") % {"name": key_variable}
        return Words(told, _("Set it where the server is started, in .env for example, and start the server again."))
    fields = [_FIELDS.get(problem.field, (str(problem), "")) for problem in error.problems]
    return Words(" ".join(str(told) for told, _advice in fields), " ".join(str(advice) for _told, advice in fields))

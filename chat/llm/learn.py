"""Learns from a refusal what a model's provider does not take, one capability at a time."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from chat.llm.errors import OverloadedError, ProviderError, RequestRefusedError, UnknownModelError
from chat.llm.lessons import LESSONS, Refusal
from chat.llm.profile import Profile

_TEACHING = (RequestRefusedError, UnknownModelError, OverloadedError)
_REFUSALS = frozenset({400, 404, 405, 415, 422})
# A server whose chat template fails on the messages answers 500; nothing else is learned from a server's failure.
_FAILURES = frozenset({500, 501})
_TEMPLATE = frozenset({"empty_content", "system", "user_after_tool"})
# Names of the kind of error, which say nothing about the culprit.
_NOISE = re.compile(r"\b(invalid_request_error|invalid_request|invalid_argument|bad_?request\w*|invalidparameter)\b")


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a refusal taught: the profile to ask again with, and the capability that it is about."""

    capability: str
    profile: Profile


def learn(
    profile: Profile, error: ProviderError, body: Mapping[str, Any], learned: Collection[str] = ()
) -> Lesson | None:
    """Return what this refusal of this body teaches, or none.

    Capabilities that this request has `learned` already are not turned again, so that two demands cannot play
    against each other. Whoever asks keeps the profile only when the next attempt is accepted.
    """
    if error.status not in _REFUSALS | _FAILURES or not isinstance(error, _TEACHING):
        return None
    text = _NOISE.sub(" ", f"{error.param} {error.code} {error.words}".lower())
    refusal = Refusal(profile, body, text, error.param)
    for lesson in LESSONS:
        for capability, changed in lesson(refusal):
            plausible = error.status in _REFUSALS or capability in _TEMPLATE
            if plausible and capability not in learned and changed != profile:
                return Lesson(capability, changed)
    return None

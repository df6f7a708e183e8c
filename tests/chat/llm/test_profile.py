from __future__ import annotations

import json

import pytest

from chat.llm.profile import Echo, EmptyContent, Profile

EMPTY = Profile(empty_content=EmptyContent.EMPTY)


@pytest.mark.parametrize(
    "profile",
    [
        Profile(),
        EMPTY,
        Profile(refused=frozenset({"b", "a"}), tools=False, echo=Echo.DEMANDED, reasoning_field="x", cumulative=True),
    ],
)
def test_a_profile_survives_being_stored(profile: Profile) -> None:
    assert Profile.from_json(json.loads(json.dumps(profile.as_json()))) == profile


def test_only_what_was_learned_is_stored() -> None:
    assert Profile().as_json() == {}
    assert EMPTY.as_json() == {"empty_content": "empty"}


@pytest.mark.parametrize(
    "stored", [None, [], "x", {"tools": "no"}, {"echo": "louder"}, {"id_style": ["own"]}, {"refused": 7}, {"new": 1}]
)
def test_what_is_unusable_in_a_stored_profile_counts_as_not_stored(stored: object) -> None:
    assert Profile.from_json(stored) == Profile()


def test_early_starts_need_a_model_that_sends_calls_in_order() -> None:
    assert Profile().starts_early
    assert not Profile(interleaved=True).starts_early
    assert not Profile(cumulative=True).starts_early

"""Tokens: what a provider reports, in whichever words, and an estimate where it reports nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import Any

_INPUT = ("prompt_tokens", "input_tokens")
_OUTPUT = ("completion_tokens", "output_tokens")
_CACHED = ("cached_tokens", "prompt_cache_hit_tokens", "cache_read_input_tokens")
_REASONING = ("reasoning_tokens",)
_DETAILS = ("prompt_tokens_details", "input_tokens_details", "completion_tokens_details", "output_tokens_details")
_ASCII_PER_TOKEN = 4.0
_OTHER_PER_TOKEN = 1.5
# A number of tokens beyond this is no number of tokens, and would not fit its column.
_MOST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one response. `cached_tokens` are a part of the input, `reasoning_tokens` of the output. `reported` is
    the provider's own object, empty where the numbers are `estimated`.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    estimated: bool = False
    reported: Mapping[str, Any] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return self.input_tokens + self.output_tokens


class UsageTally:
    """Keeps the last value reported of each number: reports within one response are running totals."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, ...], int] = {}
        self._reported: dict[str, Any] = {}

    def update(self, reported: object) -> None:
        """Take a provider's usage object; anything else is ignored."""
        if not isinstance(reported, dict):
            return
        self._reported.update({key: value for key, value in reported.items() if value is not None})
        places = [reported, *(part for name in _DETAILS if isinstance(part := reported.get(name), dict))]
        for names in (_INPUT, _OUTPUT, _CACHED, _REASONING):
            told = [number for place in places for name in names if (number := _number(place.get(name))) is not None]
            if told:
                self._numbers[names] = told[0]

    def result(self) -> Usage | None:
        """Return what was reported, or none."""
        if not self._numbers:
            return None
        return Usage(
            input_tokens=self._numbers.get(_INPUT, 0),
            output_tokens=self._numbers.get(_OUTPUT, 0),
            cached_tokens=self._numbers.get(_CACHED, 0),
            reasoning_tokens=self._numbers.get(_REASONING, 0),
            reported=self._reported,
        )


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text: four ASCII characters each, one and a half of any other script."""
    ascii_characters = len(text.encode("ascii", "ignore"))
    return ceil(ascii_characters / _ASCII_PER_TOKEN + (len(text) - ascii_characters) / _OTHER_PER_TOKEN)


def _number(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = int(float(value))
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number <= _MOST else None

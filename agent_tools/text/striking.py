"""Strikes the secrets of a tool's configuration out of whatever the tool gives back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from agent_tools.text.secret_forms import parts_of, pattern_of

REMOVED = "[secret removed]"
SHORT = 4
"""A secret with fewer characters is struck only where it stands alone: elsewhere it would hit ordinary words."""
_FRAGMENT = 4  # characters of a secret, cut in two, that are worth striking
_NUMBER = re.compile(r"[-+0-9.eE]+")


class Striker:
    """Replaces every form of the given secrets, and of the credentials in them: as they are, and as URLs, JSON, HTML,
    Markdown and base64 write them.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        parts = sorted({part for secret in secrets if secret for part in parts_of(secret)}, key=len, reverse=True)
        self._parts = tuple(part for part in parts if len(part) > _FRAGMENT)
        self._hits_numbers = any(map(_NUMBER.fullmatch, parts))
        self._pattern = re.compile("|".join(map(_guarded, parts))) if parts else None

    def text(self, text: str) -> str:
        """Return the text without secrets."""
        return self._pattern.sub(REMOVED, text) if self._pattern else text

    def piece(self, text: str, *, begins: bool, ends: bool) -> str:
        """Return a piece of a longer text without secrets, nor what a cut has left of one where the piece neither
        `begins` nor `ends` the text.
        """
        text = self.text(text)
        for part in self._parts:
            if not begins and not ends and len(text) >= _FRAGMENT and text in part:
                return REMOVED
            if not ends and (left := _overlap(part, text)):
                text = text[:-left] + REMOVED
            if not begins and (left := _overlap(text, part)):
                text = REMOVED + text[left:]
        return text

    def data(self, value: Any) -> Any:
        """Return JSON data without secrets, in keys and in numbers too."""
        return self._data(value) if self._pattern else value

    def _data(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(key)): self._data(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._data(item) for item in value]
        if self._hits_numbers and isinstance(value, int | float) and not isinstance(value, bool):
            shown = str(value)
            struck = self.text(shown)
            return value if struck == shown else struck
        return value


def _guarded(part: str) -> str:
    return pattern_of(part) if len(part) >= SHORT else rf"(?<!\w){re.escape(part)}(?!\w)"


def _overlap(first: str, second: str) -> int:
    """Return how many characters at the beginning of `first` are the end of `second`; 0 for too few to tell."""
    longest = min(len(first), len(second))
    return next((size for size in range(longest, _FRAGMENT - 1, -1) if second.endswith(first[:size])), 0)

"""Decides what the pieces of a call's arguments mean once no more will come."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

_OPENERS = "{["
_CLOSERS = "}]"


def parse_object(text: str) -> dict[str, Any] | None:
    """Return the JSON object that the text is, or none. Raw control characters in strings are let through."""
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def is_json(text: str) -> bool:
    """Tell whether the text is a whole JSON value of any kind."""
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


class Nesting:
    """Follows how deep in strings, objects and lists a JSON text stands, piece by piece."""

    def __init__(self) -> None:
        self._depth = 0
        self._in_string = False
        self._escaped = False

    @property
    def is_open(self) -> bool:
        return self._in_string or self._depth > 0

    def feed(self, piece: str) -> None:
        """Take the next piece of the text."""
        for character in piece:
            if self._in_string:
                if self._escaped:
                    self._escaped = False
                elif character == "\\":
                    self._escaped = True
                elif character == '"':
                    self._in_string = False
            elif character == '"':
                self._in_string = True
            elif character in _OPENERS:
                self._depth += 1
            elif character in _CLOSERS:
                self._depth -= 1


def is_cut(text: str) -> bool:
    """Tell whether the text stops inside a string, an object or a list."""
    nesting = Nesting()
    nesting.feed(text)
    return nesting.is_open


def resolve(pieces: Sequence[str]) -> tuple[str, bool]:
    """Return the arguments' text, and whether the sender repeated what it had sent before.

    Plain appending comes first; only what it cannot explain is read as repetition. A leading `{}` that more follows
    is a placeholder of gateways that announce an empty input first.
    """
    plain = "".join(pieces)
    if len(pieces) < 2 or is_json(plain):  # noqa: PLR2004 - one piece repeats nothing
        return plain, False
    told = _without_repetition(pieces)
    if told != plain and (is_json(told) or _repeats_throughout(pieces)):
        return told, True
    if plain.lstrip().startswith("{}"):
        rest = plain.lstrip()[2:]
        if parse_object(rest) is not None:
            return rest, False
    return plain, False


def _without_repetition(pieces: Sequence[str]) -> str:
    """Read each piece that begins with all that came before as replacing it."""
    told = ""
    for piece in pieces:
        repeats = told.lstrip().startswith("{") and piece.startswith(told)
        told = piece if repeats else told + piece
    return told


def _repeats_throughout(pieces: Sequence[str]) -> bool:
    told = [piece for piece in pieces if piece]
    return (
        len(told) > 1
        and told[0].lstrip().startswith("{")
        and all(later.startswith(earlier) for earlier, later in pairwise(told))
    )

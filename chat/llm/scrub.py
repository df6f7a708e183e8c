"""Keeps out of texts what no database, socket or JSON parser takes: NUL and lone surrogates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

REPLACEMENT = "\ufffd"
_SUSPECT = re.compile("[\x00\ud800-\udfff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def scrub(text: str) -> tuple[str, int]:
    """Join surrogate pairs, replace lone surrogates by U+FFFD and drop NUL; return the text and how many were lost."""
    if not _SUSPECT.search(text):
        return text, 0
    text = _PAIR.sub(_join, text)
    lost = len(_SUSPECT.findall(text))
    return _SUSPECT.sub(lambda match: "" if match[0] == "\x00" else REPLACEMENT, text), lost


def scrub_deep(value: Any) -> Any:
    """Return JSON-ready data in which texts and keys are scrubbed and non-finite numbers have become texts."""
    if isinstance(value, str):
        return scrub(value)[0]
    if isinstance(value, Mapping):
        return {scrub(str(key))[0]: scrub_deep(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [scrub_deep(part) for part in value]
    if isinstance(value, float) and (value != value or value in {float("inf"), float("-inf")}):  # noqa: PLR0124
        return str(value)
    return value


class Scrubber:
    """Scrubs a text that arrives in pieces; a pair may be torn between two of them."""

    def __init__(self) -> None:
        self.lost = 0
        self._held = ""

    def feed(self, piece: str) -> str:
        """Return what can be shown now."""
        text = self._held + piece
        self._held = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._held = text[:-1], text[-1]
        return self._clean(text)

    def close(self) -> str:
        """Return what was held back."""
        held, self._held = self._held, ""
        return self._clean(held)

    def _clean(self, text: str) -> str:
        clean, lost = scrub(text)
        self.lost += lost
        return clean


def _join(match: re.Match[str]) -> str:
    return match[0].encode("utf-16", "surrogatepass").decode("utf-16")

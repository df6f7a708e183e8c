"""Strikes the secrets of a tool's configuration out of whatever the tool gives back."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

REMOVED = "[secret removed]"
SHORT = 4
"""A secret with fewer characters is struck only where it stands alone: elsewhere it would hit ordinary words."""


class Striker:
    """Replaces every form of the given secrets: as they are, and as URLs, JSON, HTML and base64 write them."""

    def __init__(self, secrets: Iterable[str]) -> None:
        forms = sorted({form for secret in secrets if secret for form in _forms(secret)}, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_guarded, forms))) if forms else None

    def text(self, text: str) -> str:
        """Return the text without secrets."""
        return self._pattern.sub(REMOVED, text) if self._pattern else text

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
        if isinstance(value, int | float) and not isinstance(value, bool):
            shown = str(value)
            struck = self.text(shown)
            return value if struck == shown else struck
        return value


def _forms(secret: str) -> Iterator[str]:
    yield secret
    if len(secret) < SHORT:
        return
    yield from (quote(secret, safe=""), quote_plus(secret), html.escape(secret))
    yield from (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1])
    encoded = secret.encode("utf-8", "surrogatepass")
    yield from (base64.b64encode(encoded).decode(), base64.urlsafe_b64encode(encoded).decode().rstrip("="))


def _guarded(form: str) -> str:
    pattern = re.escape(form)
    return pattern if len(form) >= SHORT else rf"(?<!\w){pattern}(?!\w)"

"""The one gate through which all text leaves a call: safe to store, to send and to show."""

from __future__ import annotations


def safe_text(text: str) -> str:
    """Return the text without NUL and with lone surrogates joined or replaced."""
    return text.replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")

"""Patterns in which `*` stands for any characters, as operators write them in rules and hooks."""

from __future__ import annotations


def matches(pattern: str, text: str) -> bool:
    """Tell whether the whole text fits the pattern; case counts, line breaks are characters like others.

    Takes time in proportion to the text for each `*`, unlike a regular expression with several `.*`.
    """
    first, *rest = pattern.split("*")
    if not rest:
        return text == pattern
    *middle, last = rest
    if not text.startswith(first) or not text.endswith(last) or len(text) < len(first) + len(last):
        return False
    position, end = len(first), len(text) - len(last)
    for part in middle:
        found = text.find(part, position, end)
        if found < 0:
            return False
        position = found + len(part)
    return True

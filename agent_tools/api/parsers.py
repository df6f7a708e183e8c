"""Reads bodies strictly: JSON that has one meaning and that every database can store (I-JSON, RFC 7493)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer

from agent_tools.api.errors import BodyTooLargeError, MalformedBodyError
from agent_tools.api.pointers import Part, pointer

MAX_BYTES = 2 * 1024 * 1024
MAX_DEPTH = 64
LONGEST_KEY = 50
INTEGERS = range(-(2**63), 2**63)

_TOO_DEEP = f"The body is nested deeper than {MAX_DEPTH} levels."


class StrictJSONParser(BaseParser):
    """Parses JSON of at most `MAX_BYTES` bytes and `MAX_DEPTH` levels.

    Refused, with the place: doubled keys, NaN and infinities, integers beyond 64 bits, NUL and lone surrogates.
    """

    media_type = "application/json"
    renderer_class = JSONRenderer

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        raw = stream.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise BodyTooLargeError(f"The body is larger than {MAX_BYTES:,} bytes.")
        value = _decoded(raw)
        _check(value)
        return value


def _decoded(raw: bytes) -> Any:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MalformedBodyError(f"The body must be UTF-8; byte {error.start} is not.") from error
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise MalformedBodyError(
            f"The body is no JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        ) from error
    except RecursionError as error:
        raise MalformedBodyError(_TOO_DEEP) from error
    except ValueError as error:
        raise MalformedBodyError("The body holds a number with too many digits.") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise MalformedBodyError(f"The key {key[:LONGEST_KEY]!r} stands twice in one object.")
        found[key] = value
    return found


def _check(root: Any) -> None:
    waiting: list[tuple[tuple[Part, ...], Any]] = [((), root)]
    while waiting:
        at, value = waiting.pop()
        if len(at) > MAX_DEPTH:
            raise MalformedBodyError(_TOO_DEEP)
        if isinstance(value, dict):
            for key in value:
                _refuse(_text_fault(key), at)
            waiting.extend(((*at, key), item) for key, item in value.items())
        elif isinstance(value, list):
            waiting.extend(((*at, position), item) for position, item in enumerate(value))
        else:
            _refuse(_fault(value), at)


def _refuse(fault: str, at: tuple[Part, ...]) -> None:
    if fault:
        raise MalformedBodyError(fault, pointer=pointer(at))


def _fault(value: Any) -> str:
    if isinstance(value, str):
        return _text_fault(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN and infinite numbers are not allowed."
    if isinstance(value, int) and value not in INTEGERS:
        return "Integers must fit into 64 bits; send a larger one as a string."
    return ""


def _text_fault(text: str) -> str:
    if "\x00" in text:
        return "Text must not hold NUL characters."
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        return "Text must not hold lone surrogates; send whole characters."
    return ""

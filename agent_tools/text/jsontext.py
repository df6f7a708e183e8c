"""JSON from a server: every way in which it can be wrong ends in a sentence, every value can be stored."""

from __future__ import annotations

import codecs
import json
import math
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from agent_tools.contract.errors import InvalidInputError
from agent_tools.text.charset import decode
from agent_tools.text.scrub import strict_json

# Prefixes that keep a page's script from reading an answer as code.
_GUARDS = re.compile(
    r"\s*(?:\)\]\}'?,?\s*|for\s*\(;;\);\s*|while\s*\((?:1|true)\);\s*|\{\}\s*&&\s*|throw\s+1;\s*<[^>]*>\s*)"
)
_HTML = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml|[a-z][a-z0-9]*[\s>])", re.IGNORECASE)
_CALLBACK = re.compile(r"\s*(?:/\*\*/)?\s*[\w$.]+\s*\(\s*[\[{]")
_ZERO_PATTERNS = {  # RFC 4627, 3: which of the first four bytes are zero
    (True, True, True, False): "utf-32-be",
    (False, True, True, True): "utf-32-le",
    (True, False, True, False): "utf-16-be",
    (False, True, False, True): "utf-16-le",
}
_PATTERN = 4
_LINES_TRIED = 3


@dataclass(frozen=True, slots=True)
class Parsed:
    """A value of plain JSON types that UTF-8 and Postgres jsonb can hold, and what had to be done for it."""

    value: Any
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unparsed:
    """Why a body is no JSON, in a sentence, and hints for its reader; `text` is what it says instead."""

    text: str
    error: str
    notes: tuple[str, ...] = ()


def parse_json(body: bytes, content_type: str = "", *, truncated: bool = False) -> Parsed | Unparsed:
    """Parse a body; never raises.

    Numbers beyond the range of floats become strings, NUL is dropped and lone surrogates become U+FFFD, each with a
    note; NaN and Infinity, integers of thousands of digits and nesting beyond `scrub.MAX_DEPTH` fail.
    """
    text = _text(body, content_type, truncated)
    if not text.strip():
        return Unparsed(text, "The body is empty, not JSON.")
    try:
        return _load(text)
    except _BrokenError as broken:
        guarded = _GUARDS.match(text)
        if guarded and guarded.end():
            try:
                parsed = _load(text[guarded.end() :])
            except _BrokenError:
                return _explain(text, broken, truncated)
            note = f"The prefix {guarded[0].strip()!r}, a guard against script inclusion, was removed before parsing."
            return Parsed(parsed.value, (note, *parsed.notes))
        return _explain(text, broken, truncated)


class _BrokenError(Exception):
    """A parse that failed, with its reason as a clause."""


def _text(body: bytes, content_type: str, truncated: bool) -> str:
    wide = _wide(body)
    if wide is None:
        return decode(body, content_type, truncated=truncated).text
    return codecs.getincrementaldecoder(wide)("replace").decode(body, not truncated).removeprefix("\ufeff")


def _wide(body: bytes) -> str | None:
    if len(body) < _PATTERN or body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE)):
        return None
    return _ZERO_PATTERNS.get((body[0] == 0, body[1] == 0, body[2] == 0, body[3] == 0))


def _load(text: str) -> Parsed:
    huge: list[str] = []

    def number(literal: str) -> float | str:
        value = float(literal)
        if math.isfinite(value):
            return value
        huge.append(literal)
        return literal

    try:
        value = json.loads(text, parse_constant=_refuse, parse_float=number)
        safe = strict_json(value)
    except json.JSONDecodeError as error:
        raise _BrokenError(f"{error.msg.removesuffix(' at')} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise _BrokenError("it is nested too deep") from None
    except InvalidInputError as error:
        raise _BrokenError(error.problems[0].message) from None
    except ValueError as error:
        raise _BrokenError("an integer has too many digits" if "digits" in str(error) else str(error)) from None
    notes = []
    if huge:
        notes.append(f"Numbers beyond the range of floats were kept as strings ({huge[0][:40]}).")
    if safe.mended:
        notes.append(f"Characters that can't be stored (NUL, lone surrogates) were removed or replaced: {safe.mended}.")
    return Parsed(safe.value, tuple(notes))


def _refuse(constant: str) -> NoReturn:
    raise _BrokenError(f"{constant} is not JSON")


def _explain(text: str, broken: _BrokenError, truncated: bool) -> Unparsed:
    error = f"The body is not valid JSON: {broken}."
    if _HTML.match(text):
        return Unparsed(text, error, ("The server sent HTML or XML, not JSON.",))
    notes = ["The body was cut short, which alone makes it invalid JSON."] if truncated else []
    lines = [line.lstrip("\x1e") for line in text.split("\n") if line.strip()]  # RFC 7464 begins each with that
    if len(lines) > 1 and all(_is_json(line) for line in lines[:_LINES_TRIED][: len(lines) - truncated]):
        notes.append(f"It looks like newline-delimited JSON of {len(lines)} lines; read it line by line.")
    elif _CALLBACK.match(text):
        notes.append("It looks like JSONP: JSON wrapped in a function call.")
    return Unparsed(text, error, tuple(notes))


def _is_json(line: str) -> bool:
    try:
        _load(line)
    except _BrokenError:
        return False
    return True

"""Reads the arguments of a call: strict JSON objects, nothing guessed, nothing completed."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any, NoReturn

from agent_tools.contract.calls import Reason
from agent_tools.contract.errors import InvalidInputError, Problem
from agent_tools.pipeline.scrub import safe_text

MAX_CHARS = 4_000_000
MAX_DEPTH = 64


def read(arguments: object, *, sealed: bool = True) -> dict[str, Any]:
    """Return the arguments as a JSON object whose texts are safe to store and send.

    Text is parsed (RFC 8259: no NaN, no Infinity, no key twice); a mapping is taken as it is; absent, blank and null
    are `{}`. Raises `InvalidInputError` with the reason code for everything else, and whenever the text was cut.
    """
    if not sealed:
        raise _truncated()
    if isinstance(arguments, str):
        arguments = _parse(arguments)
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        raise _wrong(f"must be a JSON object, not {kind_of(arguments)}.", Reason.NOT_AN_OBJECT)
    plain = _plain(arguments, 0)
    return plain if isinstance(plain, dict) else {}


def canonical(arguments: Mapping[str, Any]) -> str:
    """Return one text for all equal arguments: keys sorted, 1.0 written as 1 (after RFC 8785)."""
    return json.dumps(_unified(arguments), sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest(arguments: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the canonical arguments, in hex."""
    return hashlib.sha256(canonical(arguments).encode()).hexdigest()


def kind_of(value: object) -> str:
    """Name the JSON type of a value for a reader."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, int | float):
        return "a number"
    return "an object" if isinstance(value, Mapping) else "an array" if isinstance(value, list) else "something else"


def _parse(text: str) -> Any:
    if len(text) > MAX_CHARS:
        raise _wrong(f"are longer than {MAX_CHARS:,} characters; send less.", Reason.INVALID_JSON)
    if not text.strip():
        return None
    try:
        return json.loads(
            text, parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_without_repeats
        )
    except json.JSONDecodeError as error:
        if _ends_early(error):
            raise _truncated() from error
        raise _wrong(f"are no valid JSON: {error.msg} at character {error.pos}.", Reason.INVALID_JSON) from error
    except RecursionError as error:
        raise _too_deep() from error
    except ValueError as error:  # an integer of thousands of digits
        raise _wrong("hold a number that is too long.", Reason.INVALID_JSON) from error


def _ends_early(error: json.JSONDecodeError) -> bool:
    return error.msg.startswith("Unterminated string") or error.pos >= len(error.doc.rstrip())


def _refuse_constant(name: str) -> NoReturn:
    raise _wrong(f"hold {name}, which JSON does not know; send a number, a string or null.", Reason.INVALID_JSON)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        _refuse_constant(digits[:20])
    return number


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _value in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _wrong(f"name the key {twice[:50]!r} twice; name it once.", Reason.INVALID_JSON)
    return found


def _plain(value: object, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise _too_deep()
    if isinstance(value, str):
        return safe_text(value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else _refuse_constant(str(value))
    if isinstance(value, Mapping):
        return _without_repeats([(_key(key), _plain(item, depth + 1)) for key, item in value.items()])
    if isinstance(value, list | tuple):
        return [_plain(item, depth + 1) for item in value]
    raise _wrong(f"hold a {type(value).__name__}, which JSON does not know.", Reason.INVALID_JSON)


def _key(key: object) -> str:
    if isinstance(key, str):
        return safe_text(key)
    raise _wrong(f"name a key that is no string: {str(key)[:50]}.", Reason.INVALID_JSON)


def _unified(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {key: _unified(item) for key, item in value.items()}
    return [_unified(item) for item in value] if isinstance(value, list | tuple) else value


def _wrong(message: str, reason: Reason) -> InvalidInputError:
    return InvalidInputError([Problem("", f"The arguments {message}")], reason=reason)


def _too_deep() -> InvalidInputError:
    return _wrong(f"are nested deeper than {MAX_DEPTH} levels; send a flatter object.", Reason.INVALID_JSON)


def _truncated() -> InvalidInputError:
    return _wrong(
        "were cut short before they were complete, so nothing was run. Send the call again with shorter arguments, "
        "in several calls if need be.",
        Reason.TRUNCATED,
    )

"""Reads the arguments of a call: strict JSON objects, nothing guessed, nothing completed."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any, NoReturn

from agent_tools.contract.calls import Reason
from agent_tools.contract.errors import InvalidInputError, Problem
from agent_tools.text.scrub import strict_json

MAX_CHARS = 4_000_000


def read(arguments: object, *, sealed: bool = True) -> dict[str, Any]:
    """Return the arguments as a JSON object whose texts are safe to store and send.

    Text is parsed (RFC 8259: no NaN, no Infinity; no key twice), an object is taken as it is; absent, blank and null
    are `{}`. Raises `InvalidInputError` with the reason's code for everything else, and whenever the text was cut.
    """
    if not sealed:
        raise _truncated()
    if isinstance(arguments, str):
        arguments = _parse(arguments)
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        raise _wrong(f"must be a JSON object, not {kind_of(arguments)}.", Reason.NOT_AN_OBJECT)
    try:
        plain: dict[str, Any] = strict_json(arguments).value
    except InvalidInputError as error:
        raise InvalidInputError(error.problems, reason=Reason.INVALID_JSON) from error
    return plain


def canonical(arguments: Mapping[str, Any]) -> str:
    """Return one text for all equal arguments: keys sorted, 1.0 written as 1 (as in RFC 8785)."""
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
    return "an object" if isinstance(value, Mapping) else "an array"


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
        fault = error.msg.removesuffix(" at")
        raise _wrong(f"are not valid JSON: {fault} at character {error.pos}.", Reason.INVALID_JSON) from error
    except RecursionError as error:
        raise _wrong("are nested too deep; send a flatter object.", Reason.INVALID_JSON) from error
    except ValueError as error:  # Python reads no integer of more than 4 300 digits
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
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _wrong(f"name the key {key[:50]!r} twice; name it once.", Reason.INVALID_JSON)
        found[key] = value
    return found


def _unified(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {key: _unified(item) for key, item in value.items()}
    return [_unified(item) for item in value] if isinstance(value, list | tuple) else value


def _wrong(message: str, reason: Reason) -> InvalidInputError:
    return InvalidInputError([Problem("", f"The arguments {message}")], reason=reason)


def _truncated() -> InvalidInputError:
    return _wrong(
        "were cut short before they were complete, so nothing was run. Send the call again with shorter arguments, "
        "in several calls if need be.",
        Reason.TRUNCATED,
    )

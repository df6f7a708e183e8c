"""Which header fields a request may carry, and which of them a model may set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from agent_tools.guards.network_errors import HeaderNotAllowedError

Fields = tuple[tuple[str, str], ...]

MAX_FIELDS = 50
MAX_NAME = 128
MAX_VALUE = 8_192  # characters
MAX_TOTAL = 32_768  # characters of all names and values

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, 5.6.2
_VALUE = re.compile(r"[\t\x20-\x7e]*")
# They decide which site is reached and where a message ends, or are the client's own to answer for.
_OURS = frozenset({
    "accept-encoding", "connection", "content-length", "expect", "host", "http2-settings", "keep-alive", "te",
    "trailer", "transfer-encoding", "upgrade",
})  # fmt: skip
# Cookies are somebody's session: an operator may lend one to a tool, a model has none of its own.
_OPERATORS_ALONE = frozenset({"cookie", "cookie2"})
# These turn an allowed method into another one behind the guard's back.
_METHOD_OVERRIDES = frozenset({"x-http-method", "x-http-method-override", "x-method-override"})


def checked_fields(fields: Iterable[tuple[str, object]]) -> Fields:
    """Return fields fit to be sent, values trimmed; HeaderNotAllowedError names the first that is not."""
    checked: list[tuple[str, str]] = []
    for name, value in fields:
        _check_name(name)
        checked.append((name, _checked_value(name, value)))
        if len(checked) > MAX_FIELDS:
            raise HeaderNotAllowedError(f"There are more than {MAX_FIELDS} request headers.")
    if sum(len(name) + len(value) for name, value in checked) > MAX_TOTAL:
        raise HeaderNotAllowedError(f"The request headers together are longer than {MAX_TOTAL} characters.")
    return tuple(checked)


def merged_fields(operator: Mapping[str, str], model: Mapping[str, object]) -> Fields:
    """Join an operator's header fields with those that a model wishes; HeaderNotAllowedError where it may not.

    A model cannot change or repeat a field that the operator has set; naming it with the same value is no error.
    """
    fixed = _unique(operator)
    wished = _unique(model)
    for key, (name, value) in wished.items():
        if key in _METHOD_OVERRIDES:
            raise HeaderNotAllowedError(f"The header {name} cannot be set: a request has the method that it names.")
        if key in _OPERATORS_ALONE and key not in fixed:
            raise HeaderNotAllowedError(f"The header {name} is for this tool's operator to set (default_headers).")
        if key in fixed and fixed[key][1] != value:
            raise HeaderNotAllowedError(f"The header {name} is set by this tool's operator and cannot be changed.")
    return checked_fields((fixed | {key: field for key, field in wished.items() if key not in fixed}).values())


def _unique(fields: Mapping[str, object]) -> dict[str, tuple[str, str]]:
    unique: dict[str, tuple[str, str]] = {}
    for name, value in checked_fields(fields.items()):
        if name.lower() in unique:
            raise HeaderNotAllowedError(f"The header {name} is given twice; upper and lower case are the same.")
        unique[name.lower()] = (name, value)
    return unique


def _check_name(name: str) -> None:
    if not _TOKEN.fullmatch(name) or len(name) > MAX_NAME:
        raise HeaderNotAllowedError(f"{name[:MAX_NAME]!r} is no valid name of a request header.")
    if name.lower() in _OURS or name.lower().startswith("proxy-"):
        raise HeaderNotAllowedError(f"The header {name} cannot be set: it belongs to the connection itself.")


def _checked_value(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise HeaderNotAllowedError(f"The value of the header {name} must be a text, not {type(value).__name__}.")
    trimmed = value.strip(" \t")
    if "\r" in value or "\n" in value or "\0" in value:
        raise HeaderNotAllowedError(f"The value of the header {name} must not have line breaks or NUL.")
    if not _VALUE.fullmatch(trimmed):
        raise HeaderNotAllowedError(f"The value of the header {name} must be printable ASCII.")
    if len(trimmed) > MAX_VALUE:
        raise HeaderNotAllowedError(f"The value of the header {name} is longer than {MAX_VALUE} characters.")
    return trimmed

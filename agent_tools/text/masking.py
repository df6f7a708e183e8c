"""Masks the secrets that callers send (in headers, arguments, URLs) before anything is written or told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

MASK = "[masked]"

_PARTS = ("apikey", "token", "secret", "password", "passwd", "passphrase", "credential", "accesskey", "privatekey")
_WHOLE = frozenset({"cookie", "cookies", "cookie2", "setcookie", "setcookie2", "pwd"})
_PARAMETERS = frozenset({"key", "sig", "signature", "auth", "pass"})
_NAMES = ("name", "key", "header", "field")

# Each begins with a rare literal or has bounded repetition, so that long texts take linear time.
_USERINFO = re.compile(r"(://[^\s/?#:@]{0,256}):[^\s/?#]{1,1024}@")
_TOKEN_AS_USER = re.compile(r"(://)[^\s/?#:@]{12,256}@")  # who signs in by a token names it alone
_HEADER = re.compile(
    r"\b((?:proxy-)?authorization|(?:set-)?cookie2?|(?:x-[\w-]{0,40})?(?:api-?key|auth-token|access-token|secret))"
    r"([\"']?[ \t]*:[ \t]*[\"']?)[^\r\n\"'<>]{1,8192}",
    re.IGNORECASE,
)
_BEARER = re.compile(r"\b(bearer|basic)([ \t]+)(?=[\w.~+/-]{0,200}[\d=])[\w.~+/=-]{8,}", re.IGNORECASE)
_PARAMETER = re.compile(r"(\A|[?&;#])([\w.%\[\]-]{1,80})=([^&\s#\"'<>]+)")
_MEMBER = re.compile(r'"([\w.-]{1,80})"(\s{0,8}:\s{0,8})"(?:[^"\\]|\\.)*"')


def is_secret_name(name: str) -> bool:
    """Tell whether a header or an argument of this name holds a secret, however it is spelt."""
    plain = re.sub(r"[-_.\s]", "", name).casefold()
    return plain in _WHOLE or plain.endswith("authorization") or any(part in plain for part in _PARTS)


def mask_credentials(text: str) -> str:
    """Return the text without passwords in URLs, and without the values of credential headers."""
    if ":" not in text and " " not in text and "\t" not in text:
        return text
    text = _USERINFO.sub(rf"\1:{MASK}@", text)
    text = _TOKEN_AS_USER.sub(rf"\1{MASK}@", text)
    text = _HEADER.sub(rf"\1\2{MASK}", text)
    return _BEARER.sub(rf"\1\2{MASK}", text)


def mask_text(text: str) -> str:
    """Return the text as `mask_credentials` does, and without secrets in query parameters and in JSON written out."""
    text = _PARAMETER.sub(_parameter, mask_credentials(text))
    return _MEMBER.sub(_member, text)


def mask_json(value: Any) -> Any:
    """Return JSON data with the values of secret names masked, and every text as `mask_text` leaves it.

    Names are keys, the first of a pair, or what stands under `name` beside a `value`.
    """
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, Mapping):
        return _object(value)
    if isinstance(value, list | tuple):
        pair = len(value) == 2 and isinstance(value[0], str) and is_secret_name(value[0])  # noqa: PLR2004 - a pair
        return [value[0], _hidden(value[0], value[1])] if pair else [mask_json(item) for item in value]
    return value


def _object(value: Mapping[str, Any]) -> dict[str, Any]:
    named = any(isinstance(value.get(key), str) and is_secret_name(value[key]) for key in _NAMES)
    masked: dict[str, Any] = {}
    for key, item in value.items():
        secret = is_secret_name(key) or (named and key == "value")
        masked[key] = _hidden(key, item) if secret else mask_json(item)
    return masked


def _hidden(name: str, value: Any) -> Any:
    """Return the mask; a switch, nothing, and the number in `max_tokens` are no secrets."""
    if value is None or isinstance(value, bool) or value in ("", [], {}):
        return value
    if isinstance(value, int | float) and "token" in name.casefold():
        return value
    return MASK


def _parameter(found: re.Match[str]) -> str:
    before, name, _value = found.groups()
    plain = name.casefold()
    secret = is_secret_name(name) or plain in _PARAMETERS or plain.endswith("signature")
    return f"{before}{name}={MASK}" if secret else found[0]


def _member(found: re.Match[str]) -> str:
    name, between = found.groups()
    return f'"{name}"{between}"{MASK}"' if is_secret_name(name) else found[0]

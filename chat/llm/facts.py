"""Reads what a provider says about a failure, in whichever of the usual shapes, without its secrets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from chat.llm.scrub import scrub

MAX_WORDS = 600
_REMOVED = "[removed]"
_SECRETS = re.compile(
    r"(?i)\b(?:bearer|basic)\s+[\w.~+/=*-]{6,}|\b(?:sk|pk|rk|gsk|xai|hf|nvapi|AIza)[-_][\w*.-]{4,}|\bAIza[\w-]{10,}"
    r"|(?<=://)[^/\s@]+@"
)
_MARKUP = re.compile(r"(?is)<(script|style|head)\b.*?</\1\s*>|<[^>]*>")
_LOOKS_LIKE_MARKUP = re.compile(r"(?i)^\s*<(?:!doctype|html|head|body|\?xml)")
# Shorter ones are words of ordinary texts.
_MIN_SECRET = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """One failure in neutral terms; `kind` is the provider's error type, `status` an HTTP status, of the response or
    reported inside it.
    """

    status: int | None = None
    code: str = ""
    kind: str = ""
    param: str = ""
    words: str = ""
    markup: bool = False


def clean(words: str, secrets: Iterable[str] = ()) -> str:
    """Return a provider's words on one line, without secrets, tags and what no database takes, trimmed to 600
    characters.
    """
    words = scrub(words)[0]
    if _LOOKS_LIKE_MARKUP.match(words):
        words = _MARKUP.sub(" ", words)
    for secret in secrets:
        if len(secret) >= _MIN_SECRET:
            words = words.replace(secret, _REMOVED)
    words = " ".join(_SECRETS.sub(_REMOVED, words).split())
    return words if len(words) <= MAX_WORDS else words[: MAX_WORDS - 1] + "…"


def read_facts(body: object, *, status: int | None = None, secrets: Iterable[str] = ()) -> Facts:
    """Read an error's body: an `error` object or text, FastAPI's `detail`, MiniMax's `base_resp`, a plain message, a
    list of one of these.
    """
    if isinstance(body, list) and body:
        body = body[0]
    facts = Facts(status=status)
    if isinstance(body, Mapping):
        facts = _from_object(body, facts)
    elif isinstance(body, str):
        facts = replace(facts, words=body, markup=bool(_LOOKS_LIKE_MARKUP.match(body)))
    return replace(facts, words=clean(facts.words, secrets), param=clean(facts.param, secrets))


def inline_error(payload: Mapping[str, Any], event: str = "") -> object | None:
    """Return the error that a stream's event holds, or none: a top-level `error`, one inside a choice, an event named
    `error`, a `base_resp` whose code is not 0, or an object that is nothing but a `detail` or a message with a code.
    """
    if payload.get("error") or _verdict(payload):
        return payload
    choices = payload.get("choices")
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, dict) and (choice.get("error") or choice.get("finish_reason") == "error"):
            return choice if choice.get("error") else {"message": "finish_reason is error"}
    if event == "error" or payload.get("object") == "error" or payload.get("type") == "error":
        return payload
    if choices is None and _detail(payload.get("detail")):
        return payload
    if choices is None and _message(payload) and any(payload.get(key) for key in ("code", "status", "status_code")):
        return payload
    return None


def _verdict(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the `base_resp` of a body if it tells of a failure."""
    verdict = body.get("base_resp")
    return verdict if isinstance(verdict, Mapping) and verdict.get("status_code") not in (None, 0, "0") else None


def _from_object(body: Mapping[str, Any], facts: Facts) -> Facts:
    inner = body.get("error")
    if isinstance(inner, str) and inner:
        facts = replace(facts, words=inner)
        inner = None
    source: Mapping[str, Any] = inner if isinstance(inner, Mapping) else _verdict(body) or body
    code = source.get("code") or source.get("status_code") or source.get("status") or ""
    status = facts.status
    if (status is None or status < 400) and (number := _status(code, source)) is not None:  # noqa: PLR2004 - HTTP
        status = number
    words = _message(source) or facts.words or _detail(source.get("detail"))
    metadata = source.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, Mapping) else None
    if isinstance(raw, str) and raw not in words:
        words = f"{words} {raw}"
    return replace(
        facts,
        status=status,
        code=str(code),
        kind=str(source.get("type") or ""),
        param=str(source.get("param") or _location(source.get("detail"))),
        words=words,
    )


def _message(source: Mapping[str, Any]) -> str:
    for key in ("message", "msg", "error_message", "errorMessage", "status_msg"):
        value = source.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def _status(code: object, source: Mapping[str, Any]) -> int | None:
    for value in (code, source.get("status_code"), source.get("status"), source.get("http_status")):
        text = str(value)
        if text.isdecimal() and 400 <= int(text) <= 599:  # noqa: PLR2004 - HTTP's range of errors
            return int(text)
    return None


def _detail(detail: object) -> str:
    if isinstance(detail, str):
        return detail
    if isinstance(detail, Sequence):
        return "; ".join(f"{_location([item])}: {_message(item)}" for item in detail if isinstance(item, Mapping))
    return _message(detail) if isinstance(detail, Mapping) else ""


def _location(detail: object) -> str:
    """Return the dotted place that a validation error of FastAPI names, without the leading `body`."""
    if not isinstance(detail, Sequence) or not detail or not isinstance(detail[0], Mapping):
        return ""
    place = detail[0].get("loc")
    parts = [str(part) for part in place] if isinstance(place, list | tuple) else []
    return ".".join(parts[1:] if parts[:1] == ["body"] else parts)

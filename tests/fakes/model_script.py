"""Builders for what a model server says: frames, deltas in the dialects of real providers, whole replies, faults.

A step of a reply is raw bytes of the body, a `Gate` to stop at, or an `Act`. Builders return lists of steps; `reply`
joins them::

    reply(text("Hello world"), tool_call("fetch", {"url": "…"}, dialect="no_index"), finish("tool_calls"), done())
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeAlias

from tests.fakes.flags import Gate


class Act(Enum):
    """What a server can do beside sending: reset the connection, close it unannounced, fall silent or send nothing
    but keep-alives until the client leaves.
    """

    RESET = "reset"
    CLOSE = "close"
    SILENCE = "silence"
    KEEPALIVES = "keepalives"


Step: TypeAlias = bytes | Gate | Act
Steps: TypeAlias = list[Step]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer. `before_headers` is a gate in front of the status line; `framing` is chunked, or close (the end of
    the connection is the end of the body).
    """

    steps: Sequence[Step] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "text/event-stream; charset=utf-8"
    framing: str = "chunked"
    before_headers: Gate | None = None


def reply(*parts: Step | Iterable[Step], **options: Any) -> Reply:
    """Join steps and lists of steps; options are those of `Reply`."""
    steps: Steps = []
    for part in parts:
        steps.extend([part] if isinstance(part, bytes | Gate | Act) else part)
    return Reply(steps=steps, **options)


def frame(payload: object, *, event: str = "", ends: str = "\n") -> bytes:
    """One server-sent event: JSON, or a text as it is; `ends` is the line end."""
    data = payload if isinstance(payload, str) else json.dumps(payload)
    name = f"event: {event}{ends}" if event else ""
    return f"{name}data: {data}{ends}{ends}".encode()


def chunk(**keys: Any) -> bytes:
    """A `chat.completion.chunk` with these keys beside the usual ones."""
    return frame({"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "test-model", **keys})


def delta(**fields: Any) -> bytes:
    """A chunk whose only choice has this delta."""
    return chunk(choices=[{"index": 0, "delta": fields, "finish_reason": None}])


def text(words: str) -> Steps:
    """Text, word by word."""
    return [delta(content=piece) for piece in re.findall(r"\s*\S+\s*$|\s*\S+", words) or [words]]


def thinking(words: str, *, field_name: str = "reasoning_content") -> Steps:
    """Reasoning, word by word, under one of the names that providers use."""
    return [delta(**{field_name: piece}) for piece in re.findall(r"\s*\S+", words)]


def finish(reason: str = "stop") -> Steps:
    return [chunk(choices=[{"index": 0, "delta": {}, "finish_reason": reason}])]


def usage(input_tokens: int = 10, output_tokens: int = 5) -> Steps:
    numbers = {"prompt_tokens": input_tokens, "completion_tokens": output_tokens}
    return [chunk(choices=[], usage={**numbers, "total_tokens": input_tokens + output_tokens})]


def done() -> Steps:
    return [b"data: [DONE]\n\n"]


def keepalive(words: str = "PROCESSING") -> Steps:
    return [f": {words}\n\n".encode()]


def answer(words: str = "Hello there.") -> Reply:
    """A whole ordinary reply."""
    return reply(delta(role="assistant", content=""), text(words), finish(), usage(), done())


def calls(*steps: Steps) -> Reply:
    """A whole ordinary reply that asks for calls."""
    return reply(delta(role="assistant", content=None), *steps, finish("tool_calls"), usage(), done())


def tool_call(
    name: str,
    arguments: object = None,
    *,
    id: str | None = "call_1",  # noqa: A002 - the provider's word
    index: int = 0,
    dialect: str = "openai",
) -> Steps:
    """One call as a provider of this dialect streams it.

    openai (id and name first, then pieces), whole (one delta), no_index, no_id, empty_id, bare (neither index nor
    id), repeated_name, cumulative (all arguments again each time), object (not as text), late_id, arguments_first.
    """
    told = arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments)
    place: dict[str, Any] = {} if dialect in {"no_index", "bare"} else {"index": index}
    who: dict[str, Any] = {"id": "" if dialect == "empty_id" else id}
    if id is None or dialect in {"no_id", "bare", "late_id"}:
        who = {}
    third = max(1, len(told) // 3)
    pieces = [told[start : start + third] for start in range(0, len(told), third)]

    def one(*, function: Mapping[str, Any], **more: Any) -> bytes:
        return delta(tool_calls=[{**place, **more, "function": dict(function)}])

    if dialect == "whole":
        return [one(function={"name": name, "arguments": told}, type="function", **who)]
    if dialect == "object":
        return [one(function={"name": name, "arguments": arguments}, type="function", **who)]
    if dialect == "arguments_first":
        return [one(function={"arguments": told}, **who), one(function={"name": name, "arguments": ""})]
    if dialect == "cumulative":
        pieces = ["".join(pieces[: end + 1]) for end in range(len(pieces))]
    repeated = {"name": name} if dialect == "repeated_name" else {}
    opening = one(function={"name": name, "arguments": ""}, type="function", **who)
    rest = [one(function={**repeated, "arguments": piece}) for piece in pieces]
    late = [one(function={"arguments": ""}, id=id)] if dialect == "late_id" else []
    return [opening, *late, *rest]


def completion(words: str = "", *, tool_calls: Sequence[Mapping[str, Any]] = (), reason: str = "stop") -> Reply:
    """A whole completion as one JSON body, as servers send that do not stream."""
    message: dict[str, Any] = {"role": "assistant", "content": words or None}
    if tool_calls:
        message["tool_calls"] = list(tool_calls)
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "test-model",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }
    return Reply(steps=[json.dumps(body).encode()], content_type="application/json")


def status(code: int, body: object = None, **headers: str) -> Reply:
    """An HTTP error; header names are written with underscores: `retry_after="2"`."""
    told = {"error": {"message": f"status {code}", "type": "test"}} if body is None else body
    raw = told.encode() if isinstance(told, str) else json.dumps(told).encode()
    kind = "text/html" if isinstance(told, str) else "application/json"
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(steps=[raw], status=code, headers=named, content_type=kind)


def fault(name: str, *before: Step | Iterable[Step]) -> Reply:
    """A stream that goes wrong, after the steps given.

    html_200, json_200, error_object, error_choice, error_event (the three shapes of an error inside a stream),
    broken_frame, eof_early (a proper end of the body, no end of the answer), eof_cut (not even that), reset,
    keepalive_only, silence.
    """
    if name == "html_200":
        return Reply(steps=[b"<!doctype html><html><title>Sign in</title></html>"], content_type="text/html")
    if name == "json_200":
        return Reply(steps=[b'{"status": "ok"}'], content_type="application/json")
    return reply(*before, _FAULTS[name])


_FAULTS: dict[str, Steps] = {
    "error_object": [frame({"error": {"message": "quota", "code": 429}})],
    "error_choice": [
        chunk(choices=[{"delta": {}, "finish_reason": "error", "error": {"message": "upstream died", "code": 502}}])
    ],
    "error_event": [frame({"message": "x"}, event="error")],
    "broken_frame": [b'data: {"choices": [{"delta": {"con\n\n', *done()],
    "eof_early": [],
    "eof_cut": [Act.CLOSE],
    "reset": [Act.RESET],
    "keepalive_only": [Act.KEEPALIVES],
    "silence": [Act.SILENCE],
}

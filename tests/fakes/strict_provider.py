"""Refuses with 400 what strict providers refuse. Each option is a habit of a real one; the default is OpenAI's."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

MISTRAL_IDS = r"[a-zA-Z0-9]{9}"
GEMINI_SCHEMA = frozenset({"type", "description", "enum", "properties", "required", "items", "nullable", "format"})
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_MESSAGE_KEYS = {"role", "content", "tool_calls", "tool_call_id", "name", "refusal"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Strict:
    """What this provider takes; false, or listed as refused, means a 400 that says so.

    `content_null`/`content_empty`: of an assistant's message with calls. `reasoning` is ignored, refused, demanded
    (in every assistant's message) or demanded_with_calls. `schema_keywords`: the only ones known (none: all).
    """

    content_null: bool = True
    content_empty: bool = True
    system: bool = True
    user_after_tool: bool = True
    alternating: bool = True
    tools: bool = True
    images: bool = True
    unknown_message_keys: bool = True
    calls_without_tools: bool = True
    id_pattern: str = r"[\x21-\x7e]{1,40}"
    refused_parameters: frozenset[str] = frozenset()
    schema_keywords: frozenset[str] | None = None
    reasoning: str = "ignored"
    reasoning_field: str = "reasoning_content"


@dataclass(frozen=True, slots=True)
class Complaint:
    """Why a request is refused; `param` as OpenAI's error objects have it."""

    message: str
    param: str = ""
    code: str = ""

    def body(self) -> dict[str, Any]:
        error = {"message": self.message, "type": "invalid_request_error", "param": self.param or None}
        return {"error": {**error, "code": self.code or None}}


def complain(body: Mapping[str, Any], strict: Strict) -> Complaint | None:
    """Return the first complaint about a request's body, or none."""
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return Complaint("'messages' must be a list that is not empty", "messages")
    return next((complaint for check in _CHECKS for complaint in check(body, messages, strict)), None)


Messages = list[dict[str, Any]]
Complaints = Iterator[Complaint]


def _parameters(body: Mapping[str, Any], messages: Messages, strict: Strict) -> Complaints:
    for name in strict.refused_parameters:
        if name in body:
            yield Complaint(
                f"Unsupported parameter: '{name}' is not supported with this model.", name, "unsupported_parameter"
            )
    if "tools" in body and not strict.tools:
        yield Complaint("test-model does not support tools")
    if "tools" not in body and not strict.calls_without_tools and any(one.get("tool_calls") for one in messages):
        yield Complaint("This provider doesn't support tool calling without `tools=` param specified")


def _tools(body: Mapping[str, Any], messages: Messages, strict: Strict) -> Complaints:
    seen: set[str] = set()
    for place, tool in enumerate(body.get("tools", ())):
        function = tool["function"]
        if not _NAME.fullmatch(function["name"]):
            yield Complaint(f"Invalid 'tools[{place}].function.name': must match '^[a-zA-Z0-9_-]{{1,64}}$'", "tools")
        if function["name"] in seen:
            yield Complaint("Tool names must be unique.", "tools")
        seen.add(function["name"])
        parameters = function["parameters"]
        if parameters.get("type") != "object" or not isinstance(parameters.get("properties"), dict):
            yield Complaint("Invalid schema for function: must be an object with properties", "tools")
        for keyword in _keywords(parameters):
            if strict.schema_keywords is not None and keyword not in strict.schema_keywords:
                yield Complaint(f'Invalid JSON payload received. Unknown name "{keyword}" at tools[{place}]', "")


def _keywords(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        for key, value in schema.items():
            yield "type array" if key == "type" and not isinstance(value, str) else key
            below = value.values() if key in {"properties", "$defs"} and isinstance(value, dict) else [value]
            for part in below if key not in {"enum", "required", "default"} else ():
                yield from _keywords(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _keywords(part)


def _roles(body: Mapping[str, Any], messages: Messages, strict: Strict) -> Complaints:
    roles = [message["role"] for message in messages]
    if "system" in roles[1:]:
        yield Complaint("System message must be at the beginning and only once.", "messages")
    if roles[0] == "system" and not strict.system:
        yield Complaint("Unsupported value: 'messages[0].role' does not support 'system' with this model.", "messages")
    told = roles[1:] if roles[0] == "system" else roles
    if told[:1] != ["user"]:
        yield Complaint("The first message after the system message must be from the user.", "messages")
    if roles[-1] not in {"user", "tool"}:
        yield Complaint("The last message must be from the user or a tool.", "messages")
    for before, after in pairwise(told):
        if before == after and before != "tool" and strict.alternating:
            yield Complaint("Conversation roles must alternate user/assistant/user/assistant/...", "messages")
        if (before, after) == ("tool", "user") and not strict.user_after_tool:
            yield Complaint("Unexpected role 'user' after role 'tool'", "messages")


def _pairs(body: Mapping[str, Any], messages: Messages, strict: Strict) -> Complaints:
    waiting: list[str] = []
    seen: set[str] = set()
    for place, message in enumerate(messages):
        if message["role"] == "tool":
            if message.get("tool_call_id") not in waiting:
                yield Complaint("messages with role 'tool' must follow a message with 'tool_calls'", "messages")
            else:
                waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            yield Complaint(f"tool_calls must be followed by tool messages for each id: {waiting}", "messages")
        waiting = [call["id"] for call in message.get("tool_calls", ())]
        for one in waiting:
            if not re.fullmatch(strict.id_pattern, one):
                rule = "a-z, A-Z, 0-9, with a length of 9" if strict.id_pattern == MISTRAL_IDS else strict.id_pattern
                yield Complaint(f"Tool call id was {one} but must be {rule}.", f"messages[{place}].tool_calls")
            if one in seen:
                yield Complaint(f"Duplicate tool call id {one}", "messages")
            seen.add(one)
    if waiting:
        yield Complaint(f"tool_calls must be followed by tool messages for each id: {waiting}", "messages")


def _calls(body: Mapping[str, Any], messages: Messages, strict: Strict) -> Complaints:
    for message in messages:
        if "tool_calls" in message and not message["tool_calls"]:
            yield Complaint("[] is too short - 'messages.tool_calls'", "messages")
        for call in message.get("tool_calls", ()):
            function = call["function"]
            if call.get("type") != "function" or not _NAME.fullmatch(function["name"]):
                yield Complaint("Invalid 'messages.tool_calls.function.name'", "messages")
            try:
                is_object = isinstance(json.loads(function["arguments"], parse_constant=_refuse), dict)
            except (TypeError, ValueError):
                is_object = False
            if not is_object:
                yield Complaint("'messages.tool_calls.function.arguments' must be a JSON object as text", "messages")


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _contents(body: Mapping[str, Any], messages: Messages, strict: Strict) -> Complaints:
    for place, message in enumerate(messages):
        content, has_calls = message.get("content"), bool(message.get("tool_calls"))
        at = f"messages[{place}].content"
        if content is None and not (has_calls and strict.content_null):
            yield Complaint(f"Invalid value for '{at}': expected a string, got null.", at)
        if isinstance(content, str) and not content.strip() and not (has_calls and strict.content_empty):
            yield Complaint(f"{at}: text content must not be empty", at)
        if isinstance(content, list) and (message["role"] != "user" or not strict.images):
            yield Complaint("Invalid content type. image_url is only supported by certain models.", at)
        unknown = sorted(set(message) - _MESSAGE_KEYS - {strict.reasoning_field})
        if unknown and not strict.unknown_message_keys:
            yield Complaint(f"messages.{place}: property '{unknown[0]}' is unsupported", at)


def _reasoning(body: Mapping[str, Any], messages: Messages, strict: Strict) -> Complaints:
    name = strict.reasoning_field
    for place, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        demanded = strict.reasoning == "demanded" or (
            strict.reasoning == "demanded_with_calls" and bool(message.get("tool_calls"))
        )
        if demanded and not message.get(name):
            yield Complaint(f"thinking is enabled but {name} is missing in assistant message at index {place}")
        if strict.reasoning == "refused" and name in message:
            yield Complaint(f"'messages.{place}': property '{name}' is unsupported")


_CHECKS: tuple[Callable[[Mapping[str, Any], Messages, Strict], Complaints], ...] = (
    _parameters,
    _tools,
    _roles,
    _pairs,
    _calls,
    _contents,
    _reasoning,
)

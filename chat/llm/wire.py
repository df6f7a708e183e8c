"""Builds the body of a request that a strict provider accepts, as far as its profile is known."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from agent_tools.contract.definition import ToolDefinition
from chat.llm.adapt import adapted
from chat.llm.arguments import parse_object
from chat.llm.history import acceptable
from chat.llm.names import CallIds, ToolNames
from chat.llm.profile import Echo, EmptyContent, Profile, SchemaLevel
from chat.llm.schema import plain, whole
from chat.llm.scrub import scrub_deep
from chat.llm.types import HistoryCall, Message, ModelEndpoint, Request, Role

MESSAGE_KEYS = frozenset({"role", "content", "tool_calls", "tool_call_id"})
DEFAULT_REASONING_FIELD = "reasoning_content"
OWNED = frozenset({"model", "messages", "tools", "tool_choice", "stream", "stream_options", "n"})
"""Parameters that are this package's own to set, or to leave out: of several answers (`n`) none could be chosen."""
# Where reasoning is demanded and none was recorded: an empty text counts as missing.
_NO_REASONING = " "
_ESCAPED_UNFIT = re.compile(r"\\u(?:d[89a-f]|0000)", re.IGNORECASE)
_ESCAPED_NUL = "\\u0000"


def body_of(request: Request, endpoint: ModelEndpoint, profile: Profile) -> tuple[dict[str, Any], ToolNames]:
    """Return the JSON body of a streaming request, and the names that its answer is to be read with."""
    tools = request.tools if profile.tools else ()
    names = ToolNames(tool.name for tool in tools)
    more = endpoint.thinking_parameters if request.thinking else endpoint.plain_parameters
    parameters = {key: value for key, value in {**endpoint.parameters, **more}.items() if key not in OWNED}
    body: dict[str, Any] = {
        "model": endpoint.model,
        "messages": _messages(request, endpoint, profile, names),
        "stream": True,
        "stream_options": {"include_usage": True},
        **parameters,
    }
    if tools:
        body["tools"] = _tools(tools, names, profile)
        if request.tool_choice != "auto":
            body["tool_choice"] = request.tool_choice
    if request.max_tokens is not None:
        body[profile.max_tokens_name.value] = request.max_tokens
    body = {key: value for key, value in body.items() if key not in profile.refused}
    if "stream" not in body:
        body.pop("stream_options", None)
    return body, names


def encode(body: Mapping[str, Any]) -> bytes:
    """Return the body as JSON in UTF-8; lone surrogates, NUL and non-finite numbers are mended, never sent."""
    try:
        text = _dump(body)
        if _ESCAPED_NUL not in text:
            return text.encode()
    except ValueError:
        pass
    return _dump(scrub_deep(body)).encode()


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=str)


def _tools(tools: Iterable[ToolDefinition], names: ToolNames, profile: Profile) -> list[dict[str, Any]]:
    reduce = plain if profile.schema is SchemaLevel.PLAIN else whole
    unique = {names.wire(tool.name): tool for tool in tools}
    return [
        {
            "type": "function",
            "function": {"name": name, "description": tool.description, "parameters": reduce(tool.parameters)},
        }
        for name, tool in sorted(unique.items())
    ]


def _messages(request: Request, endpoint: ModelEndpoint, profile: Profile, names: ToolNames) -> list[dict[str, Any]]:
    ids = CallIds(profile.id_style)
    told: list[dict[str, Any]] = []
    for message in adapted(acceptable(request.messages), profile, with_tools=bool(request.tools)):
        if message.role is Role.TOOL:
            told.append({"role": "tool", "tool_call_id": ids.of(message.call_id), "content": message.content})
        elif message.role is Role.ASSISTANT:
            told.append(_assistant(message, profile, names, ids, ours=message.origin == endpoint.origin))
        else:
            told.append({"role": message.role.value, "content": _content(message)})
    return told


def _content(message: Message) -> str | list[dict[str, Any]]:
    if not message.images:
        return message.content
    text = [{"type": "text", "text": message.content}] if message.content.strip() else []
    return [*text, *({"type": "image_url", "image_url": {"url": image}} for image in message.images)]


def _assistant(message: Message, profile: Profile, names: ToolNames, ids: CallIds, *, ours: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"role": "assistant"}
    if message.content.strip():
        told["content"] = message.content
    else:
        told["content"] = None if profile.empty_content is EmptyContent.NULL else ""
    told |= _reasoning(message, profile, ours=ours)
    replayed = ours and profile.replay
    if replayed:
        told |= {key: value for key, value in message.extra.items() if value and key not in MESSAGE_KEYS}
    if message.calls:
        told["tool_calls"] = [
            _call(call, names.wire(call.name), ids.give(call, ours=ours), replayed=replayed) for call in message.calls
        ]
    return told


def _reasoning(message: Message, profile: Profile, *, ours: bool) -> dict[str, str]:
    thinking = message.thinking if ours else ""
    field = message.reasoning_field if ours else ""
    if profile.echo is Echo.DEMANDED or (profile.echo is Echo.DEMANDED_WITH_CALLS and message.calls):
        return {profile.reasoning_field or field or DEFAULT_REASONING_FIELD: thinking or _NO_REASONING}
    if profile.echo is not Echo.NEVER and message.calls and thinking:
        return {field or DEFAULT_REASONING_FIELD: thinking}
    return {}


def _call(call: HistoryCall, name: str, wire_id: str, *, replayed: bool) -> dict[str, Any]:
    extra = dict(call.extra) if replayed else {}
    inner = extra.pop("function", {})
    function = {"name": name, "arguments": _arguments(call.arguments)}
    return {**extra, "id": wire_id, "type": "function", "function": {**inner, **function}}


def _arguments(text: str) -> str:
    """Return the arguments as they were sent when they are a JSON object, else one that strict servers can read."""
    value = parse_object(text)
    if value is None:
        return "{}"
    try:
        json.loads(text, parse_constant=_refuse)
    except ValueError:
        return _dump(scrub_deep(value))
    return _dump(scrub_deep(value)) if _ESCAPED_UNFIT.search(text) else text


def _refuse(constant: str) -> None:
    raise ValueError(constant)

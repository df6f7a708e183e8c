"""Short words for tests that talk to language models."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from typing import Any

import pytest

from agent_tools.contract.definition import ToolDefinition
from chat.llm.client import CompletionsModel
from chat.llm.clocks import Clocks
from chat.llm.model import LanguageModel
from chat.llm.model import respond as whole_response
from chat.llm.profile import Profile
from chat.llm.reader import ResponseReader
from chat.llm.retry import RetryPolicy
from chat.llm.types import HistoryCall, Message, ModelEndpoint, Request, Response, Role, StreamEvent
from chat.llm.wire import body_of as build_body
from chat.llm.wire import encode
from tests.fakes.model_script import Reply
from tests.fakes.model_server import ModelServer

KEY = "sk-test-0123456789abcdef"
ENDPOINT = ModelEndpoint(base_url="http://127.0.0.1/v1", model="test-model")


class Naps:
    """A sleep that takes no time and remembers how long it was to be."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


def user(content: str = "Hello") -> Message:
    return Message(role=Role.USER, content=content)


def system(content: str = "Be brief.") -> Message:
    return Message(role=Role.SYSTEM, content=content)


def assistant(content: str = "", *calls: HistoryCall, **more: Any) -> Message:
    return Message(role=Role.ASSISTANT, content=content, calls=calls, **more)


def call(own_id: str = "c1", name: str = "fetch", arguments: str = "{}", **more: Any) -> HistoryCall:
    return HistoryCall(id=own_id, name=name, arguments=arguments, **more)


def result(call_id: str = "c1", content: str = "done", **more: Any) -> Message:
    return Message(role=Role.TOOL, call_id=call_id, content=content, **more)


def tool(name: str = "fetch", properties: Mapping[str, Any] | None = None, **more: Any) -> ToolDefinition:
    """A tool all of whose properties are required."""
    told = properties if properties is not None else {"url": {"type": "string"}}
    schema = {"type": "object", "properties": told, "required": sorted(told), **more}
    return ToolDefinition(name=name, description=f"The tool {name}.", parameters=schema)


def request(*messages: Message, **more: Any) -> Request:
    return Request(messages=messages or (user(),), **more)


def model_of(
    server: ModelServer,
    profile: Profile | None = None,
    *,
    clocks: Clocks | None = None,
    retries: RetryPolicy | None = None,
    **endpoint: Any,
) -> CompletionsModel:
    """A model at this server that retries without waiting."""
    told = {"base_url": server.base_url, "model": "test-model", "api_key": KEY, **endpoint}
    return CompletionsModel(
        ModelEndpoint(**told),
        profile,
        clocks=clocks,
        retries=retries or RetryPolicy(sleep=Naps(), chance=lambda: 0.0),
    )


async def collect(model: LanguageModel, asked: Request | None = None) -> tuple[list[StreamEvent], Response]:
    """Read a response to its end: all events, and the response."""
    async with aclosing(model.stream(asked or request())) as stream:
        events = [event async for event in stream]
    last = events[-1]
    assert isinstance(last, Response)
    return events, last


async def respond(model: LanguageModel, asked: Request | None = None) -> Response:
    """Read a response to its end; without a request it answers a greeting."""
    return await whole_response(model, asked or request())


def body_of(reply: Reply) -> bytes:
    """The bytes of a reply's body, up to where it breaks."""
    return b"".join(step for step in reply.steps if isinstance(step, bytes))


def as_sent(asked: Request, profile: Profile | None = None, endpoint: ModelEndpoint = ENDPOINT) -> dict[str, Any]:
    """The body of a request as its provider parses it: strictly."""
    body, _ = build_body(asked, endpoint, profile or Profile())
    sent: dict[str, Any] = json.loads(encode(body), parse_constant=pytest.fail)
    return sent


def read(pieces: Sequence[bytes], **options: Any) -> list[StreamEvent]:
    """Read an answer that comes in these pieces, without a network."""
    reader = ResponseReader(**options)
    events = [event for piece in pieces for event in reader.feed(piece)]
    return [*events, *reader.close()]


def final(events: Sequence[StreamEvent]) -> Response:
    last = events[-1]
    assert isinstance(last, Response)
    return last

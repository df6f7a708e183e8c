"""What each kind of refusal teaches about a provider. Data first: the words that providers refuse with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, TypeAlias

from chat.llm.assemble import REASONING_FIELDS
from chat.llm.profile import Echo, EmptyContent, IdStyle, MaxTokensName, Profile, SchemaLevel
from chat.llm.schema import dropped_keywords
from chat.llm.wire import MESSAGE_KEYS

Change: TypeAlias = tuple[str, Profile]

_KEPT = frozenset({"model", "messages", "tools", "stream"})
_UNWANTED: Final = re.compile(
    r"unsupported|not support|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|extra (input|field|param)"
    r"|additional propert|invalid|forbidden|not accept|not implemented|no such|must not|cannot|can't"
    r"|only supported|extra_forbidden"
)
_NOT_A_FIELD: Final = re.compile(r"unsupported|not support|unknown|unrecogni[sz]ed|not permitted|extra (input|field)")
_MISSED: Final = re.compile(r"must be|missing|required|needs?\b|passed? back|should be (set|present|included)")
_NO_TOOLS: Final = re.compile(
    r"not support.{0,24}\b(tools?|tool[ _-](use|call\w*)|functions?|function[ _-]call\w*)\b"
    r"|\b(tools?|tool[ _-](use|call\w*)|functions?|function[ _-]call\w*) (is|are) (not |un)(support|allow|avail)\w*"
    r"|no endpoints found that support tool|enable-auto-tool-choice"
)
_TOOLS_WANTED: Final = re.compile(
    r"without .{0,3}tools|\btool_?(s|config)\b.{0,40}(must be (provided|defined)|required)"
)
_NULL: Final = re.compile(r"\bnull\b|\bnone\b|nonetype|\bnil\b|valid string|must be a string|expected a? ?str")
_EMPTY: Final = re.compile(r"empty|blank|non-?whitespace|at least (1|one)|min_?length|too short")
_CALL_ID: Final = re.compile(r"tool[ _]?calls?\W.{0,40}\bid\b|tool_?call_?id|call id")
_NINE: Final = re.compile(r"length of 9|\{9\}|exactly 9|9 (characters|alphanumeric)")
_ID_FORM: Final = re.compile(r"too long|max\w* length|pattern|invalid|unique|duplicate")
_USER_AFTER_TOOL: Final = re.compile(r"role .?user.? after role .?tool|user.{0,40}(after|follow)\w*.{0,20}tool")
_NO_SYSTEM: Final = re.compile(
    r"system.{0,30}(role|message|instruction|prompt)?.{0,30}(not support|unsupported|not enabled|not allowed)"
    r"|not support.{0,20}\bsystem\b|developer instruction is not enabled"
)
_IMAGES: Final = re.compile(r"image_url|images?\b|multi-?modal|\bvision\b")
_SCHEMA: Final = re.compile(r"schema|\bparameters\b|function_?declarations|\btools?\b|\bfunctions?\b")
_NO_STREAM: Final = re.compile(
    r"not support.{0,12}\bstream|\bstream\w* (is |mode )*(not |un)support|to stream this model"
)
_PLAIN_ENGLISH = frozenset({"title", "default", "format", "pattern", "minimum", "maximum", "not", "if", "then", "else"})


@dataclass(frozen=True, slots=True)
class Refusal:
    """One refused request: the profile and body it was made with, and the provider's words in lower case."""

    profile: Profile
    body: Mapping[str, Any]
    text: str
    param: str

    def says(self, pattern: re.Pattern[str]) -> bool:
        return bool(pattern.search(self.text))

    def names(self, word: str) -> bool:
        """Tell whether the words hold this one, whole."""
        return bool(re.search(rf"(?<![\w-]){re.escape(word.lower())}(?![\w-])", self.text))

    @property
    def assistants(self) -> list[Mapping[str, Any]]:
        return [message for message in self.body.get("messages", ()) if message.get("role") == "assistant"]

    @property
    def calls(self) -> list[Mapping[str, Any]]:
        return [call for message in self.assistants for call in message.get("tool_calls", ())]


def _max_tokens(refusal: Refusal) -> Iterator[Change]:
    for told, other in ((name, other) for name in MaxTokensName for other in MaxTokensName if other is not name):
        unknown = refusal.names(other.value) or refusal.says(_NOT_A_FIELD)
        if told.value in refusal.body and refusal.names(told.value) and unknown:
            yield "max_tokens_name", replace(refusal.profile, max_tokens_name=other)


def _reasoning(refusal: Refusal) -> Iterator[Change]:
    """The same field is refused by some and demanded by others: what the request held tells the two apart."""
    profile = refusal.profile
    for field in REASONING_FIELDS:
        if not refusal.names(field) or not refusal.assistants:
            continue
        sent = any(field in message for message in refusal.assistants)
        if refusal.says(_MISSED) and not (sent and refusal.says(_NOT_A_FIELD)):
            if profile.echo is not Echo.DEMANDED_WITH_CALLS and refusal.calls:
                yield "echo_with_calls", replace(profile, echo=Echo.DEMANDED_WITH_CALLS, reasoning_field=field)
            yield "echo_always", replace(profile, echo=Echo.DEMANDED, reasoning_field=field)
        elif sent:
            yield "echo_never", replace(profile, echo=Echo.NEVER)


def _replay(refusal: Refusal) -> Iterator[Change]:
    standard = MESSAGE_KEYS | set(REASONING_FIELDS)
    unknown = {key for message in refusal.assistants for key in message if key not in standard}
    unknown |= {key for call in refusal.calls for key in call if key not in {"id", "type", "function"}}
    if any(refusal.names(key) for key in unknown):
        yield "replay", replace(refusal.profile, replay=False)


def _parameters(refusal: Refusal) -> Iterator[Change]:
    droppable = sorted((key for key in refusal.body if key not in _KEPT), key=len, reverse=True)
    head = re.split(r"[.\[]", refusal.param.lower())[0]
    for key in droppable:
        if (key == head or refusal.names(key)) and (refusal.says(_UNWANTED) or key == head):
            yield f"parameter:{key}", refusal.profile.without(key)
    if "stream" in refusal.body and (head == "stream" or refusal.says(_NO_STREAM)):
        yield "parameter:stream", refusal.profile.without("stream")


def _tools(refusal: Refusal) -> Iterator[Change]:
    if "tools" in refusal.body and refusal.says(_NO_TOOLS):
        yield "tools", replace(refusal.profile, tools=False)
    if "tools" not in refusal.body and refusal.calls and refusal.says(_TOOLS_WANTED):
        yield "calls_need_tools", replace(refusal.profile, calls_need_tools=True)


def _content(refusal: Refusal) -> Iterator[Change]:
    if not refusal.names("content") and not refusal.says(re.compile("nonetype|<nil>")):
        return
    contents = [message.get("content") for message in refusal.assistants]
    if None in contents and refusal.says(_NULL):
        yield "empty_content", replace(refusal.profile, empty_content=EmptyContent.EMPTY)
    if "" in contents and refusal.says(_EMPTY):
        yield "empty_content", replace(refusal.profile, empty_content=EmptyContent.NULL)


def _ids(refusal: Refusal) -> Iterator[Change]:
    if not refusal.calls or not refusal.says(_CALL_ID):
        return
    if refusal.says(_NINE):
        yield "id_style", replace(refusal.profile, id_style=IdStyle.ALNUM9)
    elif refusal.says(_ID_FORM) and refusal.profile.id_style is IdStyle.PROVIDER:
        yield "id_style", replace(refusal.profile, id_style=IdStyle.OWN)


def _roles(refusal: Refusal) -> Iterator[Change]:
    messages = refusal.body.get("messages", ())
    roles = [message.get("role") for message in messages]
    if ("tool", "user") in pairwise(roles) and refusal.says(_USER_AFTER_TOOL):
        yield "user_after_tool", replace(refusal.profile, user_after_tool=False)
    if "system" in roles and refusal.says(_NO_SYSTEM):
        yield "system", replace(refusal.profile, system=False)
    parts = any(isinstance(message.get("content"), list) for message in messages)
    if parts and refusal.says(_IMAGES):
        yield "images", replace(refusal.profile, images=False)


def _schema(refusal: Refusal) -> Iterator[Change]:
    schemas = [tool["function"]["parameters"] for tool in refusal.body.get("tools", ())]
    named = {word for schema in schemas for word in dropped_keywords(schema) if refusal.names(word)}
    about_tools = refusal.says(_SCHEMA) and (named or refusal.says(_UNWANTED))
    if schemas and (about_tools or named - _PLAIN_ENGLISH):
        yield "schema", replace(refusal.profile, schema=SchemaLevel.PLAIN)


# The most exact first: later ones go by vaguer words.
LESSONS: Final[tuple[Callable[[Refusal], Iterator[Change]], ...]] = (
    _max_tokens,
    _reasoning,
    _replay,
    _parameters,
    _ids,
    _content,
    _roles,
    _tools,
    _schema,
)

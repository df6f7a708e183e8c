"""Assembles one response from the chunks of its stream, whatever dialect the provider speaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chat.llm.calls import CallTable
from chat.llm.scrub import Scrubber, scrub
from chat.llm.types import Response, StreamEvent, TextDelta, ThinkingDelta
from chat.llm.unknown import absorb
from chat.llm.usage import Usage, UsageTally

REASONING_FIELDS = ("reasoning_content", "reasoning", "thinking", "reasoning_text", "thought")
_DELTA_KEYS = frozenset({"role", "content", "refusal", "tool_calls", "name", *REASONING_FIELDS})
_MAX_REASON = 40
_TEXT_KEYS = ("text", "content")
_THINKING_KEYS = ("thinking", "reasoning", "text", "content", "summary")


class Assembler:
    """Feed it chunks in order; no call is final before `response`."""

    def __init__(self) -> None:
        self.finish_reason = ""
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._text_scrubber = Scrubber()
        self._thinking_scrubber = Scrubber()
        self._reasoning_field = ""
        self._calls = CallTable()
        self._usage = UsageTally()
        self._extra: dict[str, Any] = {}
        self._id = ""
        self._model = ""

    def feed(self, chunk: Mapping[str, Any]) -> list[StreamEvent]:
        """Take one chunk (`chat.completion.chunk` or a whole `chat.completion`) and tell what it brought."""
        self._id = self._id or _label(chunk.get("id"))
        self._model = self._model or _label(chunk.get("model"))
        self._usage.update(chunk.get("usage"))
        if isinstance(groq := chunk.get("x_groq"), dict):
            self._usage.update(groq.get("usage"))
        events: list[StreamEvent] = []
        choices = chunk.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if not isinstance(choice, dict):
                continue
            self._usage.update(choice.get("usage"))
            self.finish_reason = _label(choice.get("finish_reason"))[:_MAX_REASON] or self.finish_reason
            delta = choice.get("delta")
            if delta is None and not (self._text or self._thinking):
                delta = choice.get("message")
            if isinstance(delta, dict):
                events += self._delta(delta)
        return events

    def flush(self) -> list[StreamEvent]:
        """Tell what was held back for a surrogate pair that never came."""
        return [*self._say(self._text_scrubber.close()), *self._think(self._thinking_scrubber.close())]

    def response(self) -> Response:
        """Return the whole of it; usage is the provider's, or empty where it reported none."""
        calls = self._calls.close(cut=self.finish_reason in {"length", "max_tokens", "model_length"})
        return Response(
            text="".join(self._text),
            thinking="".join(self._thinking),
            reasoning_field=self._reasoning_field,
            calls=calls,
            finish_reason=self.finish_reason,
            usage=self._usage.result() or Usage(estimated=True),
            extra=self._extra,
            response_id=self._id,
            model=self._model,
            interleaved=self._calls.interleaved,
            cumulative=self._calls.cumulative,
            scrubbed=self._text_scrubber.lost + self._thinking_scrubber.lost + self._calls.scrubbed,
        )

    def _delta(self, delta: Mapping[str, Any]) -> list[StreamEvent]:
        events: list[StreamEvent] = []
        thinking = self._reasoning(delta)
        content = delta.get("content")
        if isinstance(content, list):
            thinking += "".join(_thinking_of(part) for part in content)
        if thinking:
            events += self._think(self._thinking_scrubber.feed(thinking))
        text = _text_of(content) + _string(delta.get("refusal"))
        if text:
            events += self._say(self._text_scrubber.feed(text))
        if delta.get("tool_calls"):
            events += self._calls.feed(delta["tool_calls"])
        absorb(self._extra, delta, known=_DELTA_KEYS)
        return events

    def _reasoning(self, delta: Mapping[str, Any]) -> str:
        """Return the reasoning under one name only, the first one seen: gateways send the same words under two."""
        for name in (self._reasoning_field, *REASONING_FIELDS):
            value = delta.get(name)
            if value and (text := _words(value, _THINKING_KEYS)):
                self._reasoning_field = self._reasoning_field or name
                return text
        return ""

    def _say(self, text: str) -> list[StreamEvent]:
        if not text:
            return []
        self._text.append(text)
        return [TextDelta(text)]

    def _think(self, text: str) -> list[StreamEvent]:
        if not text:
            return []
        self._thinking.append(text)
        return [ThinkingDelta(text)]


def _text_of(content: object) -> str:
    if isinstance(content, list):
        return "".join(_text_of(part) for part in content)
    if isinstance(content, dict) and content.get("type") in {"thinking", "reasoning"}:
        return ""
    return _words(content, _TEXT_KEYS)


def _thinking_of(part: object) -> str:
    is_thinking = isinstance(part, dict) and part.get("type") in {"thinking", "reasoning"}
    return _words(part, _THINKING_KEYS) if is_thinking else ""


def _words(value: object, keys: tuple[str, ...]) -> str:
    """Return the text of a value that is a text, a list of parts, or a part that holds it under one of the keys."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(_words(part, keys) for part in value)
    if isinstance(value, dict):
        return next((text for key in keys if (text := _words(value.get(key), keys))), "")
    return ""


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _label(value: object) -> str:
    """Return a short text that comes in one piece, scrubbed."""
    return scrub(_string(value))[0]

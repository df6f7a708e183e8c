"""Turns the bytes of one answer into events, and insists on its end: no terminal signal, no response."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from chat.llm.assemble import Assembler
from chat.llm.errors import (
    ContentFilteredError,
    EmptyReplyError,
    NotAStreamError,
    ProviderError,
    StreamBrokenError,
)
from chat.llm.facts import clean, inline_error, read_facts
from chat.llm.failures import failure
from chat.llm.sse import Frame, FrameTooLargeError, SseSplitter
from chat.llm.types import Response, StreamEvent
from chat.llm.usage import Usage, estimate_tokens

MAX_ANSWER_BYTES = 64 * 1024 * 1024
_DONE = "[DONE]"
_LONGEST_DONE = len(f'"{_DONE}"')
_NOT_SSE = b"{[<"
_BLANK = b"\xef\xbb\xbf \t\r\n"
_EXCERPT = 200
_KEEP_ALIVES = frozenset({"ping", "heartbeat", "keepalive", "keep-alive"})


class ResponseReader:
    """Feed it the body of a 200 answer as it comes; `close` at its end. Errors are `ProviderError`s.

    A body that begins like JSON or markup is no stream: a whole chat completion is taken all the same, anything else
    refused. `sent` is the request's body, for estimating tokens that nobody reports. `ended` tells that nothing more
    is to come, `finished` that only usage may.
    """

    def __init__(
        self, *, content_type: str = "", request_id: str = "", secrets: Collection[str] = (), sent: bytes = b""
    ) -> None:
        self.ended = False
        self._content_type = content_type or "no content type"
        self._request_id = request_id
        self._secrets = secrets
        self._sent = sent
        self._splitter = SseSplitter()
        self._assembler = Assembler()
        self._whole: bytearray | None = None
        self._sniffed = False
        self._held = b""
        self._size = 0
        self._frames = 0

    @property
    def finished(self) -> bool:
        return self.ended or bool(self._assembler.finish_reason)

    def feed(self, data: bytes) -> list[StreamEvent]:
        """Return the events that these bytes bring; keep-alives and empty chunks bring none."""
        self._size += len(data)
        if self._size > MAX_ANSWER_BYTES:
            raise self._broken(f"it is larger than {MAX_ANSWER_BYTES} bytes", "provider_answer_too_large", retry=False)
        if not self._sniffed:
            data = self._sniff(data)
        if self._whole is not None:
            self._whole += data
            return []
        try:
            frames = self._splitter.feed(data)
        except FrameTooLargeError as error:
            raise self._broken(str(error), "provider_answer_too_large", retry=False) from error
        return self._events(frames)

    def close(self) -> list[StreamEvent]:
        """Return the last events, the `Response` behind all others."""
        events: list[StreamEvent] = []
        if self._whole is not None:
            events += self._take_whole(bytes(self._whole))
        else:
            events += self._events([*self._splitter.feed(self._held), *self._splitter.close()], closing=True)
        if not self._frames:
            raise self._not_a_stream("")
        if not self.finished:
            raise self._broken("it ended before its end was announced")
        events += self._assembler.flush()
        response = replace(self._assembler.response(), request_id=self._request_id)
        self._refuse_emptiness(response)
        if response.usage.estimated:
            response = replace(response, usage=self._estimate(response))
        return [*events, response.usage, response]

    def _sniff(self, data: bytes) -> bytes:
        """Look at the first byte that is not blank; the content type is often wrong."""
        data = self._held + data
        first = data.lstrip(_BLANK)[:1]
        if not first:
            self._held = data
            return b""
        self._sniffed, self._held = True, b""
        if first in _NOT_SSE:
            self._whole = bytearray()
        return data

    def _events(self, frames: list[Frame], *, closing: bool = False) -> list[StreamEvent]:
        events: list[StreamEvent] = []
        for frame in frames:
            data = frame.data.strip()
            if frame.comment or frame.event in _KEEP_ALIVES or not data or self.ended:
                continue
            self._frames += 1
            if len(data) <= _LONGEST_DONE and data.strip('"').upper() == _DONE:
                self.ended = True
                continue
            for payload in self._parse(data, frame.event, closing=closing):
                events += self._take(payload, frame.event)
        return events

    def _parse(self, data: str, event: str, *, closing: bool) -> list[object]:
        """Parse an event's data; servers that forget the blank line put several chunks into one."""
        try:
            return [json.loads(data)]
        except (ValueError, RecursionError):
            lines = [line.strip() for line in data.split("\n")]
        if len(lines) > 1:
            self.ended = self.ended or _DONE in lines
            told = [line for line in lines if line not in {"", _DONE}]
            return [part for line in told for part in self._parse(line, event, closing=closing)]
        if event == "error":
            raise self._failure(data)
        if closing and self.finished:
            return []
        if closing:
            raise self._broken("it ended in the middle of an event")
        excerpt = clean(data[:_EXCERPT], self._secrets)
        raise self._broken(f"an event is not JSON: {excerpt}", "provider_bad_frame")

    def _take(self, payload: object, event: str) -> list[StreamEvent]:
        if payload is None:
            return []
        if isinstance(payload, list) and payload and isinstance(payload[0], Mapping):
            payload = payload[0]
        if not isinstance(payload, Mapping):
            raise self._broken("an event is not a JSON object", "provider_bad_frame")
        error = inline_error(payload, event)
        if error is not None:
            raise self._failure(error)
        return self._assembler.feed(payload)

    def _take_whole(self, body: bytes) -> list[StreamEvent]:
        text = body.decode("utf-8", "replace").removeprefix("\ufeff")
        try:
            payload: Any = json.loads(text)
        except (ValueError, RecursionError):
            raise self._not_a_stream(text) from None
        if isinstance(payload, list) and payload:
            payload = payload[0]
        if not isinstance(payload, Mapping):
            raise self._not_a_stream(text)
        error = inline_error(payload)
        if error is not None:
            raise self._failure(error)
        if not isinstance(payload.get("choices"), list) or not payload["choices"]:
            raise self._not_a_stream(text)
        self._frames += 1
        self.ended = True
        return self._assembler.feed(payload)

    def _estimate(self, response: Response) -> Usage:
        told = "".join([response.text, response.thinking, *(call.name + call.arguments for call in response.calls)])
        return Usage(estimate_tokens(self._sent.decode("utf-8", "replace")), estimate_tokens(told), estimated=True)

    def _refuse_emptiness(self, response: Response) -> None:
        if not response.empty or response.thinking.strip():
            return
        if response.finish_reason == "content_filter":
            raise ContentFilteredError(
                "The provider's content filter withheld the answer. Word the request differently.",
                request_id=self._request_id,
            )
        if response.cut:
            raise EmptyReplyError(
                "The model ran out of tokens before it said anything. Raise the limit of tokens for its answer.",
                retryable=False,
                request_id=self._request_id,
            )
        raise EmptyReplyError("The model answered with nothing. Try again.", request_id=self._request_id)

    def _failure(self, body: object) -> ProviderError:
        return failure(read_facts(body, secrets=self._secrets), request_id=self._request_id)

    def _broken(self, why: str, reason: str = "", *, retry: bool = True) -> StreamBrokenError:
        return StreamBrokenError(
            f"The provider's answer broke off: {why}. Try again.",
            reason=reason,
            retryable=retry,
            request_id=self._request_id,
        )

    def _not_a_stream(self, text: str) -> NotAStreamError:
        excerpt = clean(text[:_EXCERPT], self._secrets)
        begins = f" It begins: {excerpt}" if excerpt else ""
        return NotAStreamError(
            f"The address answered with {self._content_type} and no completion (request id: "
            f"{self._request_id or 'none'}). An operator must check the base URL; it often ends in /v1.{begins}",
            request_id=self._request_id,
            words=excerpt,
        )

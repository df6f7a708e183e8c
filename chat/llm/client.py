"""A model behind an OpenAI-compatible server: one request, its attempts, and what they teach."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from chat.llm.clocks import Clocks, LateError, Watch
from chat.llm.errors import ProviderError
from chat.llm.learn import Lesson, learn
from chat.llm.names import ToolNames
from chat.llm.profile import Profile
from chat.llm.reader import ResponseReader
from chat.llm.retry import RetryPolicy, persist
from chat.llm.translate import request_id_of
from chat.llm.transport import Transport
from chat.llm.types import CallOpened, CallSealed, ModelEndpoint, RawCall, Request, Response, StreamEvent
from chat.llm.wire import body_of, encode

logger = logging.getLogger(__name__)


class CompletionsModel:
    """A `LanguageModel` reached through chat completions.

    Raises `InvalidInputError` for an endpoint that cannot be one. `trust` replaces the machine's certificate store.
    """

    def __init__(
        self,
        endpoint: ModelEndpoint,
        profile: Profile | None = None,
        *,
        clocks: Clocks | None = None,
        retries: RetryPolicy | None = None,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.profile = profile or Profile()
        self._clocks = clocks or Clocks()
        self._retries = retries or RetryPolicy()
        self._transport = Transport(endpoint, connect=self._clocks.connect, trust=trust)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections to the provider."""
        await self._transport.aclose()

    async def stream(self, request: Request) -> AsyncGenerator[StreamEvent, None]:
        """Yield the events of one response; see `LanguageModel`."""
        await self._transport.ready()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._clocks.whole
        lessons: list[Lesson] = []
        attempts = persist(
            lambda: self._learning(request, deadline, lessons),
            self._retries,
            seconds_left=lambda: deadline - loop.time(),
        )
        async with aclosing(attempts) as events:
            async for event in events:
                yield event

    async def _learning(
        self, request: Request, deadline: float, lessons: list[Lesson]
    ) -> AsyncGenerator[StreamEvent, None]:
        """Stream one attempt; where a refusal teaches something, ask again at once, once for each capability."""
        while True:
            profile = lessons[-1].profile if lessons else self.profile
            body, names = body_of(request, self.endpoint, profile)
            shown = False
            try:
                async with aclosing(self._attempt(body, names, deadline)) as events:
                    async for event in events:
                        shown = True
                        yield self._kept(event, profile) if isinstance(event, Response) else event
                return
            except ProviderError as error:
                lesson = None if shown else learn(profile, error, body, {lesson.capability for lesson in lessons})
                if lesson is None:
                    raise
            logger.info("The provider of %s refuses %s: asking without.", self.endpoint.model, lesson.capability)
            lessons.append(lesson)

    async def _attempt(
        self, body: dict[str, Any], names: ToolNames, deadline: float
    ) -> AsyncGenerator[StreamEvent, None]:
        watch = Watch(self._clocks, deadline)
        payload = encode(body)
        answer = await watch.wait(self._transport.post(payload))
        try:
            reader = ResponseReader(
                content_type=answer.headers.get("content-type", ""),
                request_id=request_id_of(answer.headers.items()),
                secrets=self._transport.secrets,
                sent=payload,
            )
            async with aclosing(self._transport.read(answer)) as pieces:
                while (piece := await _next(pieces, watch, reader)) is not None:
                    events = reader.feed(piece)
                    if events:
                        watch.content()
                    if reader.finished:
                        watch.finished(ended=reader.ended)
                    for event in events:
                        yield _own(event, names)
            for event in reader.close():
                yield _own(event, names)
        finally:
            await answer.aclose()

    def _kept(self, response: Response, profile: Profile) -> Response:
        """Keep what an accepted request taught; a flip that cured nothing is forgotten."""
        self.profile = replace(
            profile,
            reasoning_field=response.reasoning_field or profile.reasoning_field,
            interleaved=profile.interleaved or response.interleaved,
            cumulative=profile.cumulative or response.cumulative,
        )
        return replace(response, profile=self.profile)


async def _next(pieces: AsyncGenerator[bytes, None], watch: Watch, reader: ResponseReader) -> bytes | None:
    """Return the next bytes, or none at the end; once the model has finished, a broken connection is an end too."""
    try:
        return await watch.wait(anext(pieces, None))
    except LateError:
        return None
    except ProviderError:
        if reader.finished:
            return None
        raise


def _own(event: StreamEvent, names: ToolNames) -> StreamEvent:
    """Return the event with our names of the tools in it."""
    if isinstance(event, CallOpened):
        return replace(event, name=names.own(event.name))
    if isinstance(event, CallSealed):
        return CallSealed(_renamed(event.call, names))
    if isinstance(event, Response) and event.calls:
        return replace(event, calls=tuple(_renamed(call, names) for call in event.calls))
    return event


def _renamed(call: RawCall, names: ToolNames) -> RawCall:
    return replace(call, name=names.own(call.name))

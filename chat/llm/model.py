"""The interface that every language model has here."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from types import TracebackType
from typing import Protocol, Self

from chat.llm.errors import StreamBrokenError
from chat.llm.profile import Profile
from chat.llm.types import Request, Response, StreamEvent


class LanguageModel(Protocol):
    """A model that answers requests as streams of events.

    `stream` yields deltas and at last one `Response`, or raises `ProviderError`; closing it (`aclosing`) or cancelling
    whoever reads it ends the provider's work at once. `profile` grows with what is learned and is for the caller to
    keep. One model serves one event loop; leaving it as a context closes its connections.
    """

    profile: Profile

    def stream(self, request: Request) -> AsyncGenerator[StreamEvent, None]: ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


async def respond(model: LanguageModel, request: Request) -> Response:
    """Return a whole response, for whoever has no use for its making; raises `ProviderError`."""
    async with aclosing(model.stream(request)) as events:
        async for event in events:
            if isinstance(event, Response):
                return event
    raise StreamBrokenError("The model's answer ended without a response.")

"""The state of one request while it runs, so that whatever ends it finds what had arrived."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from io import BytesIO

from agent_tools.guards.body import BoundedBody
from agent_tools.guards.inflating import PIECE
from agent_tools.guards.network_errors import DeadlineError, TooManyRedirectsError
from agent_tools.guards.redirects import Outgoing, redirected
from agent_tools.guards.response import Headers, Hop, Request, Response
from agent_tools.guards.urls import Url

Sink = Callable[[bytes, Response], Awaitable[bool]]
"""Takes a piece of a body and the response as it stands, without content; tells whether it wants more."""


class Exchange:
    """A request, the hops it took, the head of the latest response and as much of its body as has come."""

    def __init__(self, request: Request, outgoing: Outgoing, sink: Sink | None) -> None:
        self.request = request
        self.outgoing = outgoing
        self.hops: list[Hop] = []
        self.body = BoundedBody("", request.max_bytes)
        self._status = 0
        self._reason = ""
        self._headers = Headers()
        self._sink = sink
        self._content = BytesIO()
        self._started = time.monotonic()

    @property
    def remaining(self) -> float:
        """Seconds left until the deadline."""
        return max(self._started + self.request.timeout - time.monotonic(), 0.0)

    def head(self, status: int, reason: str, headers: Headers) -> None:
        """Take the head of a response; its body comes next."""
        self._status, self._reason, self._headers = status, reason, headers
        self.body = BoundedBody(headers.get("content-encoding"), self.request.max_bytes)

    def redirect(self, target: Url) -> None:
        """Go on to `target`; TooManyRedirectsError where the request allows no further hop."""
        limit = self.request.max_redirects
        if len(self.hops) >= limit:
            visited = {hop.url for hop in self.hops} | {self.outgoing.url.text}
            shape = "in a circle" if target.text in visited else f"more than {limit} times"
            raise TooManyRedirectsError(
                f"The page redirects {shape}: {limit} redirects were followed, the next would lead to {target}.",
                details={"hops": len(self.hops)},
            )
        self.hops.append(Hop(self.outgoing.url.text, self._status))
        self.outgoing = redirected(self.outgoing, self._status, target)
        self._status = 0

    async def take(self, pieces: Iterator[bytes]) -> None:
        """Keep the pieces, or hand them on; others get their turn while much is inflated."""
        for piece in pieces:
            if self._sink is None:
                self._content.write(piece)
            elif not await self._sink(piece, self.response()):
                self.body.truncated = True
                return
            if len(piece) >= PIECE:
                await asyncio.sleep(0)

    def response(self) -> Response:
        """Return what has been received."""
        return Response(
            url=self.outgoing.url.text,
            status=self._status,
            reason_phrase=self._reason,
            headers=self._headers,
            content=self._content.getvalue(),
            truncated=self.body.truncated,
            wire_size=self.body.wire_size,
            hops=tuple(self.hops),
            note=self.body.note,
            elapsed_ms=round((time.monotonic() - self._started) * 1000),
        )

    def timed_out(self) -> DeadlineError:
        """Return the error for a passed deadline, with what had arrived."""
        seconds = f"{self.request.timeout:g} s"
        host = self.outgoing.url.host
        if not self._status:
            return DeadlineError(f"{host} did not answer within {seconds}.")
        received = self.body.size
        error = DeadlineError(f"{host} did not send its whole answer within {seconds}; {received} bytes had arrived.")
        error.details["received_bytes"] = received
        if received:
            self.body.truncated = True
            error.partial = self.response()
        return error

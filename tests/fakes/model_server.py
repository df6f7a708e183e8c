"""A scripted OpenAI-compatible server on loopback: what it says, when and how it breaks is the test's to decide.

In an async test it shares the loop, in a blocking one (a browser's, a management command's) it has its own thread::

    async with ModelServer() as server:                    with ModelServer() as server:
        server.script(answer("Hello."), calls(...))            server.script(answer("Hello."))
        ... server.base_url ...                                ... server.base_url ...

**Scripts.** Each request to `/v1/chat/completions` takes the next `Reply`; with none left the answer is a 500 that says
so. `server.respond = function` answers from the parsed request instead (return a `Reply`). Builders for replies are in
`tests.fakes.model_script`: `answer`, `calls`, `reply(text(...), tool_call(...), finish(), usage(), done())`,
`status(429, retry_after="1")`, `completion` (not streamed), `fault("eof_early", text("Hel"))`, and others.

**Pauses.** A `Gate` in a reply stops the server there: `await gate.reached.waited()` tells that everything before it
was sent, `gate.open()` lets it go on. `Reply(before_headers=gate)` stops before the status line. Nothing sleeps.

**Records.** `server.requests` holds what came: path, headers (lower case), parsed body; `finished` is set when a reply
was sent whole, `disconnected` when the client left before, `steps_sent` says how far it had come.
`await server.arrived(2)` (or `server.arrival(2).wait()`) waits for the second request.

**Strictness.** `ModelServer(strict=Strict(...))` refuses with 400 what strict providers refuse; see
`tests.fakes.strict_provider`. A refused request takes no reply from the script; `server.refused` keeps the reasons.

`GET /v1/models` lists `models`. With `tls=` (an `ssl.SSLContext`) the server speaks HTTPS.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from typing import Self

from tests.fakes.flags import PATIENCE, Flag
from tests.fakes.model_connection import Connection, Recorded
from tests.fakes.model_script import Reply, status
from tests.fakes.strict_provider import Complaint, Strict, complain

__all__ = ["ModelServer", "Recorded"]


class ModelServer:
    """See the module."""

    def __init__(
        self,
        *,
        strict: Strict | None = None,
        tls: ssl.SSLContext | None = None,
        models: Sequence[str] = ("test-model",),
    ) -> None:
        self.strict = strict
        self.requests: list[Recorded] = []
        self.refused: list[Complaint] = []
        self.respond: Callable[[Recorded], Reply] = self._next_reply
        self.connections = 0
        self._tls = tls
        self._models = models
        self._replies: deque[Reply] = deque()
        self._arrivals: defaultdict[int, Flag] = defaultdict(Flag)
        self._port = 0
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._exit: contextlib.ExitStack | None = None

    @property
    def base_url(self) -> str:
        """The address for a client, ending in /v1."""
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self._port}/v1"

    @property
    def bodies(self) -> list[dict[str, object]]:
        """The bodies of the chat requests, in order."""
        return [request.body for request in self.requests if request.path.endswith("/chat/completions")]

    def script(self, *replies: Reply) -> None:
        """Add replies, one for each request to come."""
        self._replies.extend(replies)

    def arrival(self, number: int) -> Flag:
        """The flag of the request with this number, from 1."""
        return self._arrivals[number]

    async def arrived(self, number: int) -> Recorded:
        """Wait for the request with this number, from 1, and return it."""
        await self._arrivals[number].waited()
        return self.requests[number - 1]

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=self._tls)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def __enter__(self) -> Self:
        self._exit = contextlib.ExitStack()
        self._exit.enter_context(self._running())
        return self

    def __exit__(self, *error: object) -> None:
        assert self._exit is not None
        self._exit.close()

    @contextlib.contextmanager
    def _running(self) -> Iterator[None]:
        """Run in a thread with a loop of its own."""
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever, name="model-server", daemon=True)
        thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self.__aenter__(), loop).result(PATIENCE)
            yield
            asyncio.run_coroutine_threadsafe(self.__aexit__(), loop).result(PATIENCE)
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join(PATIENCE)
            loop.close()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(reader, writer)
        try:
            while (request := await connection.request()) is not None:
                reply = self._answer(request)
                if not await connection.send(reply, request):
                    break
        finally:
            await connection.close()

    def _answer(self, request: Recorded) -> Reply:
        if request.method == "GET" and request.path.endswith("/models"):
            listed = [{"id": name, "object": "model", "owned_by": "test"} for name in self._models]
            return Reply(
                steps=[json.dumps({"object": "list", "data": listed}).encode()], content_type="application/json"
            )
        self.requests.append(request)
        self._arrivals[len(self.requests)].set()
        if request.method != "POST" or not request.path.endswith("/chat/completions"):
            return status(404, "<html>Not Found</html>")
        complaint = complain(request.body, self.strict) if self.strict else None
        if complaint is not None:
            self.refused.append(complaint)
            return status(400, complaint.body())
        return self.respond(request)

    def _next_reply(self, request: Recorded) -> Reply:
        if not self._replies:
            return status(500, {"error": {"message": "the script has no reply left", "type": "script"}})
        return self._replies.popleft()

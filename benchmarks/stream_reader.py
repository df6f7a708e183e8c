"""Measures our way of reading a stream against the `openai` client's own chunk objects, side by side.

    python -m benchmarks.stream_reader [rounds]

Both read the same 2,000 one-token chunks from the same server, in turn, in one process. Times are CPU seconds of the
reading process; the server runs in its own.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection

import openai

from chat.llm.client import CompletionsModel
from chat.llm.types import Message, ModelEndpoint, Request, Response, Role

TOKENS = 2_000
ROUNDS = 7


def serve(tell: Connection) -> None:
    """Answer every request with the same stream, each chunk written on its own."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                writer.close()
                return
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
            await reader.readexactly(int(length.partition(b":")[2]))
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
            for piece in pieces():
                writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
                await writer.drain()
            writer.write(b"0\r\n\r\n")

    async def main() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        tell.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


def pieces() -> list[bytes]:
    """The stream: one token a chunk, the finish, the usage, the end."""
    about = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    told = [{"index": 0, "delta": {"content": f"word{number} "}, "finish_reason": None} for number in range(TOKENS)]
    frames = [
        *({**about, "choices": [choice]} for choice in told),
        {**about, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        {
            **about,
            "choices": [],
            "usage": {"prompt_tokens": 1, "completion_tokens": TOKENS, "total_tokens": TOKENS + 1},
        },
    ]
    return [*(b"data: " + json.dumps(frame).encode() + b"\n\n" for frame in frames), b"data: [DONE]\n\n"]


async def ours(model: CompletionsModel) -> int:
    """Read with our reader; return the length of the text."""
    async for event in model.stream(Request(messages=[Message(role=Role.USER, content="x")])):
        if isinstance(event, Response):
            return len(event.text)
    raise AssertionError


async def theirs(client: openai.AsyncOpenAI) -> int:
    """Read with the client's chunk objects; return the length of the text."""
    stream = await client.chat.completions.create(
        model="m", messages=[{"role": "user", "content": "x"}], stream=True, stream_options={"include_usage": True}
    )
    return sum([len(choice.delta.content or "") async for chunk in stream for choice in chunk.choices])


async def measure(read: Callable[[], Awaitable[int]]) -> float:
    """Return the CPU seconds of one reading."""
    start = time.process_time()
    assert await read() > TOKENS
    return time.process_time() - start


async def compare(base_url: str, rounds: int) -> None:
    """Read in turn, so that a busy machine hits both alike, and print the medians."""
    endpoint = ModelEndpoint(base_url=base_url, model="m", api_key="none")
    async with CompletionsModel(endpoint) as model, openai.AsyncOpenAI(base_url=base_url, api_key="none") as client:
        await ours(model)
        await theirs(client)
        pairs = [(await measure(lambda: ours(model)), await measure(lambda: theirs(client))) for _ in range(rounds)]
    mine, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratios = sorted(second / first for first, second in pairs)
    print(f"{TOKENS} one-token chunks, median of {rounds}, CPU seconds")
    print(f"  our reader           {mine:.3f}  ({mine / TOKENS * 1e6:.0f} µs a token)")
    print(f"  client's own chunks  {other:.3f}  ({other / TOKENS * 1e6:.0f} µs a token)")
    print(f"  ratio                {other / mine:.1f}  (from {ratios[0]:.1f} to {ratios[-1]:.1f})")


def main() -> None:
    """Run the server in a process of its own, and compare."""
    ear, mouth = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(mouth,), daemon=True)
    server.start()
    try:
        rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
        asyncio.run(compare(f"http://127.0.0.1:{ear.recv()}/v1", rounds))
    finally:
        server.terminate()
        server.join()


if __name__ == "__main__":
    main()

"""Streams as real providers send them, and the calls they mean. Sources are public reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tests.fakes.model_script import chunk, delta, done, finish

Calls: TypeAlias = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Case:
    """Frames in, (name, arguments) out; `truncated` are the positions that must not run."""

    source: str
    frames: Sequence[bytes]
    calls: Calls
    reason: str = "tool_calls"
    truncated: tuple[int, ...] = ()
    cumulative: bool = False

    @property
    def body(self) -> bytes:
        return b"".join([*self.frames, *(step for step in [*finish(self.reason), *done()] if isinstance(step, bytes))])


def tc(*entries: dict[str, Any]) -> bytes:
    """A delta with these entries."""
    return delta(tool_calls=list(entries))


def fn(name: Any = None, arguments: Any = None, **place: Any) -> dict[str, Any]:
    """One entry; what is None is left out."""
    told = {"name": name, "arguments": arguments}
    return {**place, "function": {key: value for key, value in told.items() if value is not None}}


ROUTING = [
    Case("openai/openai-python#2806: no index", [tc(fn("f", "{}", id="a"))], [("f", "{}")]),
    Case(
        "ollama/ollama#7881: no index, in pieces",
        [tc(fn("f", '{"a"', id="a")), tc(fn(None, ":1}"))],
        [("f", '{"a":1}')],
    ),
    Case(
        "index is null", [tc(fn("f", '{"a"', id="a", index=None)), tc(fn(None, ":1}", index=None))], [("f", '{"a":1}')]
    ),
    Case(
        "index is a text", [tc(fn("f", '{"a"', id="a", index="0")), tc(fn(None, ":1}", index="0"))], [("f", '{"a":1}')]
    ),
    Case(
        "vercel/ai#14277: two calls share an index",
        [tc(fn("read", '{"p":1}', index=0, id="a")), tc(fn("read", '{"p":2}', index=0, id="b"))],
        [("read", '{"p":1}'), ("read", '{"p":2}')],
    ),
    Case(
        "apache/maka#1976: three calls share an index, in pieces",
        [
            tc(fn("f", "", index=0, id="a")),
            tc(fn(None, '{"p":1}', index=0)),
            tc(fn("g", "", index=0, id="b")),
            tc(fn(None, '{"p":2}', index=0)),
            tc(fn("f", '{"p":3}', index=0, id="c")),
        ],
        [("f", '{"p":1}'), ("g", '{"p":2}'), ("f", '{"p":3}')],
    ),
    Case(
        "two calls share an index and have no ids",
        [tc(fn("read", '{"p":1}', index=0)), tc(fn("read", '{"p":2}', index=0)), tc(fn("list", "{}", index=0))],
        [("read", '{"p":1}'), ("read", '{"p":2}'), ("list", "{}")],
    ),
    Case(
        "SamSaffron/term-llm#314: several in one chunk, none indexed",
        [tc(fn("f", "{}", id="a"), fn("g", "{}", id="b"))],
        [("f", "{}"), ("g", "{}")],
    ),
    Case(
        "several in one chunk, neither indexes nor ids",
        [tc(fn("f", '{"a":1}'), fn("f", '{"a":2}'), fn("g", ""))],
        [("f", '{"a":1}'), ("f", '{"a":2}'), ("g", "")],
    ),
    Case(
        "neither indexes nor ids, one a chunk",
        [tc(fn("f", '{"a":1}')), tc(fn("f", '{"a":2}')), tc(fn("g", '{"a"')), tc(fn(None, ":3}"))],
        [("f", '{"a":1}'), ("f", '{"a":2}'), ("g", '{"a":3}')],
    ),
    Case(
        "parallel calls, their pieces in turn",
        [
            tc(fn("f", '{"a"', index=0, id="a")),
            tc(fn("g", '{"b"', index=1, id="b")),
            tc(fn(None, ":1}", index=0)),
            tc(fn(None, ":2}", index=1)),
        ],
        [("f", '{"a":1}'), ("g", '{"b":2}')],
    ),
    Case(
        "pieces in turn, by id alone",
        [tc(fn("f", "", id="a")), tc(fn("g", "", id="b")), tc(fn(None, '{"a":1}', id="a")), tc(fn(None, "{}", id="b"))],
        [("f", '{"a":1}'), ("g", "{}")],
    ),
    Case(
        "continuedev/continue#13235: the id comes later",
        [tc(fn("f", "", index=0)), tc(fn(None, "{}", index=0, id="a"))],
        [("f", "{}")],
    ),
    Case(
        "the id comes later, with the name again",
        [tc(fn("f", "", index=0)), tc(fn("f", '{"a":1}', index=0, id="a"))],
        [("f", '{"a":1}')],
    ),
    Case(
        "a fresh id with every piece",
        [tc(fn("f", '{"a"', index=0, id="a")), tc(fn(None, ":1", index=0, id="b")), tc(fn(None, "}", index=0, id="c"))],
        [("f", '{"a":1}')],
    ),
    Case(
        "the same id again for another call (qwen-code#8382)",
        [tc(fn("f", '{"a":1}', index=0, id="a")), tc(fn("f", '{"a":2}', index=1, id="a"))],
        [("f", '{"a":1}'), ("f", '{"a":2}')],
    ),
    Case(
        "the same id again, no index",
        [tc(fn("f", '{"a":1}', id="f:0")), tc(fn("f", '{"a":2}', id="f:0")), tc(fn("g", "{}", id="f:0"))],
        [("f", '{"a":1}'), ("f", '{"a":2}'), ("g", "{}")],
    ),
    Case(
        "an empty id is no id",
        [tc(fn("f", '{"a"', index=0, id="")), tc(fn(None, ":1}", index=0, id=""))],
        [("f", '{"a":1}')],
    ),
    Case("a number as id", [tc(fn("f", "{}", index=0, id=7))], [("f", "{}")]),
    Case(
        "the index counts chunks, not calls",
        [tc(fn("f", '{"a"', index=0, id="a")), tc(fn(None, ":1", index=1)), tc(fn(None, "}", index=2))],
        [("f", '{"a":1}')],
    ),
    Case("tool_calls is one object", [delta(tool_calls=fn("f", "{}", id="a", index=0))], [("f", "{}")]),
    Case("entries that are none", [delta(tool_calls=[None, 3, fn("f", "{}", id="a")])], [("f", "{}")]),
    Case("the call stands flat", [delta(tool_calls=[{"id": "a", "name": "f", "arguments": "{}"}])], [("f", "{}")]),
    Case(
        "indexes begin at one and leave gaps",
        [tc(fn("f", "{}", index=1, id="a")), tc(fn("g", "{}", index=5, id="b"))],
        [("f", "{}"), ("g", "{}")],
    ),
]

NAMES = [
    Case(
        "NousResearch/hermes-agent#11984: the name in every chunk",
        [tc(fn("read", "{", index=0, id="a")), tc(fn("read", "}", index=0))],
        [("read", "{}")],
    ),
    Case(
        "the name in every chunk, and no index",
        [tc(fn("read", '{"a"', id="a")), tc(fn("read", ":1}", id="a"))],
        [("read", '{"a":1}')],
    ),
    Case(
        "SillyTavern/SillyTavern#5811: the type in every chunk",
        [tc(fn("f", '{"a"', index=0, id="a", type="function")), tc(fn(None, ":1}", index=0, type="function"))],
        [("f", '{"a":1}')],
    ),
    Case(
        "vercel/ai#15879: arguments before the name",
        [tc(fn(None, "{}", index=0, id="a")), tc(fn("f", "", index=0))],
        [("f", "{}")],
    ),
    Case(
        "arguments before id and name", [tc(fn(None, "{}", index=0)), tc(fn("f", "", index=0, id="a"))], [("f", "{}")]
    ),
    Case("arguments before the name, nothing else", [tc(fn(None, '{"a":1}')), tc(fn("f", ""))], [("f", '{"a":1}')]),
    Case(
        "the name in pieces",
        [tc(fn("read_", "", index=0, id="a")), tc(fn("file", "{}", index=0))],
        [("read_file", "{}")],
    ),
    Case(
        "the name grows",
        [tc(fn("read", "", index=0, id="a")), tc(fn("read_file", "{}", index=0))],
        [("read_file", "{}")],
    ),
    Case(
        "null and empty names change nothing",
        [
            tc(fn("f", "", index=0, id="a")),
            tc({"index": 0, "function": {"name": None, "arguments": "{"}}),
            tc(fn("", "}", index=0)),
        ],
        [("f", "{}")],
    ),
]

ARGUMENTS = [
    Case(
        "NousResearch/hermes-agent#35718: all arguments again each time",
        [
            tc(fn("f", '{"q"', index=0, id="a")),
            tc(fn(None, '{"q":"x"', index=0)),
            tc(fn(None, '{"q":"x"}', index=0)),
        ],
        [("f", '{"q":"x"}')],
        cumulative=True,
    ),
    Case(
        "anomalyco/opencode#17339: again each time, with name and id",
        [tc(fn("f", text, index=0, id="a")) for text in ("{", '{"q"', '{"q":1', '{"q":1}', '{"q":1}')],
        [("f", '{"q":1}')],
        cumulative=True,
    ),
    Case(
        "pieces, and at last all of it again",
        [tc(fn("f", '{"q"', index=0, id="a")), tc(fn(None, ":1}", index=0)), tc(fn(None, '{"q":1}', index=0))],
        [("f", '{"q":1}')],
        cumulative=True,
    ),
    Case(
        "a piece that repeats what came before is no repetition where appending parses",
        [tc(fn("f", '{"q":"', index=0, id="a")), tc(fn(None, '{\\"q\\":\\"', index=0)), tc(fn(None, '"}', index=0))],
        [("f", '{"q":"{\\"q\\":\\""}')],
    ),
    Case(
        "an empty object first, then the arguments",
        [tc(fn("f", "{}", index=0, id="a")), tc(fn(None, '{"q":1}', index=0))],
        [("f", '{"q":1}')],
    ),
    Case(
        "Wei-Shaw/sub2api#3481: all in the first chunk",
        [tc(fn("f", '{"c":1}', index=0, id="a"))],
        [("f", '{"c":1}')],
    ),
    Case(
        "vercel/ai#13137: whole, then a blank",
        [tc(fn("f", '{"path":"/tmp"}', index=0, id="a")), tc(fn(None, " ", index=0))],
        [("f", '{"path":"/tmp"} ')],
    ),
    Case("a scalar in pieces", [tc(fn("f", "1", index=0, id="a")), tc(fn(None, "0", index=0))], [("f", "10")]),
    Case(
        "NousResearch/hermes-agent#1114: an object, not a text",
        [tc(fn("f", {"x": 1, "y": {"é": [True]}}, index=0, id="a"))],
        [("f", '{"x":1,"y":{"é":[true]}}')],
    ),
    Case(
        "an object that grows",
        [tc(fn("f", {"x": 1}, index=0, id="a")), tc(fn(None, {"x": 1, "y": 2}, index=0))],
        [("f", '{"x":1,"y":2}')],
    ),
    Case("vercel/ai#6687: empty arguments", [tc(fn("now", "", index=0, id="a"))], [("now", "")]),
    Case("no arguments", [tc(fn("now", None, index=0, id="a"))], [("now", "")]),
    Case(
        "arguments null", [tc({"index": 0, "id": "a", "function": {"name": "now", "arguments": None}})], [("now", "")]
    ),
    Case(
        "function null afterwards",
        [tc(fn("f", "{}", index=0, id="a")), tc({"index": 0, "function": None})],
        [("f", "{}")],
    ),
    Case("langchain-ai/langchain#35997: a list", [tc(fn("f", "[]", index=0, id="a"))], [("f", "[]")]),
    Case("a list, not a text", [tc(fn("f", [1, 2], index=0, id="a"))], [("f", "[1,2]")]),
    Case("a text in quotes", [tc(fn("f", '"x"', index=0, id="a"))], [("f", '"x"')]),
    Case("not JSON, but closed", [tc(fn("f", "{'a': 1}", index=0, id="a"))], [("f", "{'a': 1}")]),
    Case("NaN is the executor's to refuse", [tc(fn("f", '{"x":NaN}', index=0, id="a"))], [("f", '{"x":NaN}')]),
    Case(
        "a torn surrogate pair",
        [tc(fn("f", '{"x":"\ud83d', index=0, id="a")), tc(fn(None, '\ude00"}', index=0))],
        [("f", '{"x":"😀"}')],
    ),
]

ENDINGS = [
    Case(
        "NousResearch/hermes-agent#7693: cut by the limit",
        [tc(fn("write", '{"path":"a","content":"hal', index=0, id="a"))],
        [("write", '{"path":"a","content":"hal')],
        reason="length",
        truncated=(0,),
    ),
    Case(
        "pydantic/pydantic-ai#3118: cut, and called tool_calls",
        [tc(fn("write", '{"path":"a","content":"hal', index=0, id="a"))],
        [("write", '{"path":"a","content":"hal')],
        truncated=(0,),
    ),
    Case(
        "cut behind a whole call",
        [tc(fn("f", '{"a":1}', index=0, id="a")), tc(fn("g", '{"a":[', index=1, id="b"))],
        [("f", '{"a":1}'), ("g", '{"a":[')],
        reason="length",
        truncated=(1,),
    ),
    Case("cut before the arguments", [tc(fn("f", "", index=0, id="a"))], [("f", "")], reason="length", truncated=(0,)),
    Case("cut, but whole", [tc(fn("f", '{"a":1}', index=0, id="a"))], [("f", '{"a":1}')], reason="length"),
    Case(
        "a cumulative sender is cut",
        [tc(fn("f", text, index=0, id="a")) for text in ('{"q"', '{"q":"x')],
        [("f", '{"q":"x')],
        reason="length",
        truncated=(0,),
        cumulative=True,
    ),
    Case(
        "sgl-project/sglang#2877: calls, and stop", [tc(fn("f", "{}", index=0, id="a"))], [("f", "{}")], reason="stop"
    ),
    Case("vercel/workflow#1387: calls, and other", [tc(fn("f", "{}", index=0, id="a"))], [("f", "{}")], reason="other"),
    Case(
        "pydantic/pydantic-ai#164: no choices, null choices, null deltas",
        [
            chunk(choices=[], prompt_filter_results=[{}]),
            chunk(choices=None),
            chunk(),
            chunk(choices=[{"index": 0, "delta": None}]),
            chunk(choices=[None]),
            tc(fn("f", "{}", index=0, id="a")),
            chunk(choices=[], usage={"prompt_tokens": 1}),
        ],
        [("f", "{}")],
    ),
]

ALL = [*ROUTING, *NAMES, *ARGUMENTS, *ENDINGS]

"""How providers lead pieces to calls: ids, indexes and names, absent, late and repeated. Sources are public reports."""

from __future__ import annotations

from tests.chat.llm.assembly_case import Case, fn, tc
from tests.fakes.model_script import delta

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

"""How providers send arguments and ends; and all cases together. Sources are public reports."""

from __future__ import annotations

from tests.chat.llm.assembly_case import Case, fn, tc
from tests.chat.llm.assembly_routing import NAMES, ROUTING
from tests.fakes.model_script import chunk

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

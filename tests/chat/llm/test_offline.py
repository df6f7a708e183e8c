from __future__ import annotations

import json
from typing import Any

import pytest

from chat.llm.model import LanguageModel
from chat.llm.offline import OfflineModel
from chat.llm.types import CallOpened, CallSealed, Response, TextDelta, ThinkingDelta
from tests.fakes.llm import assistant, call, collect, request, respond, result, tool, user

TOOLS = [
    tool("bash", {"command": {}}),
    tool("fetch"),
    tool("fetch_docs"),
    tool("file_write", {"path": {}, "content": {}}),
    tool("grep_files", {"pattern": {}}),
    tool("rag_search", {"query": {}}),
    tool("read_file", {"path": {}}),
    tool("search_papers", {"query": {}}),
]


def asked(words: str, **more: Any) -> Any:
    return request(user(words), **{"tools": TOOLS, **more})


def told(response: Response) -> list[tuple[str, dict[str, Any]]]:
    return [(one.name, json.loads(one.arguments)) for one in response.calls]


@pytest.mark.parametrize(
    ("words", "calls"),
    [
        ("fetch http://example.org", [("fetch", {"url": "http://example.org"})]),
        ("Please look at https://example.org/a?b=c#d, thanks.", [("fetch", {"url": "https://example.org/a?b=c#d"})]),
        ("use fetch_docs on http://example.org/", [("fetch_docs", {"url": "http://example.org/"})]),
        ("抓取 http://example.org/页面 的内容", [("fetch", {"url": "http://example.org/页面"})]),
        ("请抓取https://example.org。", [("fetch", {"url": "https://example.org"})]),
        ("http://a.org and http://b.org and http://a.org", [("fetch", {"url": "http://a.org"}), ("fetch", {"url": "http://b.org"})]),
        ("read notes.txt", [("read_file", {"path": "notes.txt"})]),
        ("Read the file `src/a_b.py`!", [("read_file", {"path": "src/a_b.py"})]),
        ("读取 notes.txt", [("read_file", {"path": "notes.txt"})]),
        ("search papers about dark matter halos.", [("search_papers", {"query": "dark matter halos"})]),
        ("Can you find some papers on M31?", [("search_papers", {"query": "M31"})]),
        ("搜索关于暗物质的论文", [("search_papers", {"query": "暗物质"})]),
        ("read http://example.org/notes.txt", [("fetch", {"url": "http://example.org/notes.txt"})]),
        ("hello", []),
        ("", []),
    ],
)  # fmt: skip
async def test_it_calls_the_tool_that_fits(words: str, calls: list[tuple[str, dict[str, Any]]]) -> None:
    response = await respond(OfflineModel(pause=0), asked(words))
    assert told(response) == calls
    assert response.finish_reason == ("tool_calls" if calls else "stop")


async def test_a_tool_that_is_made_for_a_host_goes_before() -> None:
    made = tool("fetch_demo")
    made = type(made)(name="fetch_demo", description="Only for 127.0.0.1:8001.", parameters=made.parameters)
    model = OfflineModel(pause=0)
    assert (
        told(await respond(model, asked("fetch http://127.0.0.1:8001/x", tools=[*TOOLS, made])))[0][0] == "fetch_demo"
    )
    assert told(await respond(model, asked("fetch http://example.org", tools=[*TOOLS, made])))[0][0] == "fetch"


@pytest.mark.parametrize("more", [{"tools": []}, {"tool_choice": "none"}, {"tools": [tool("bash", {"command": {}})]}])
async def test_it_calls_nothing_that_is_not_there_or_not_wanted(more: dict[str, Any]) -> None:
    response = await respond(OfflineModel(pause=0), asked("fetch http://example.org", **more))
    assert not response.calls
    assert "offline model" in response.text


async def test_it_repeats_what_the_tools_said_and_says_what_it_is() -> None:
    history = [
        user("fetch http://a"),
        assistant("", call("a"), call("b", "read_file")),
        result("a", "# The\n\npage"),
        result("b", "x" * 900),
    ]
    response = await respond(OfflineModel(pause=0), request(*history, tools=TOOLS))
    assert not response.calls
    assert "fetch answered:\n\n> # The\n>\n> page" in response.text
    assert "read_file answered" in response.text
    assert "offline model" in response.text
    assert len(response.text) < 700


async def test_it_answers_in_the_persons_language() -> None:
    response = await respond(OfflineModel(pause=0), asked("你好"))
    assert "离线模型" in response.text


async def test_it_streams_word_by_word_through_the_events_of_every_model() -> None:
    model: LanguageModel = OfflineModel(pause=0)
    async with model:
        events, response = await collect(model, asked("hello", thinking=True))
    words = [event.text for event in events if isinstance(event, TextDelta)]
    assert "".join(words) == response.text
    assert len(words) > 10
    assert "".join(event.text for event in events if isinstance(event, ThinkingDelta)) == response.thinking != ""
    assert response.usage.estimated
    assert response.usage.total > 0


async def test_several_calls_open_and_seal_like_those_of_real_models() -> None:
    events, _ = await collect(OfflineModel(pause=0), asked("http://a.org and http://b.org"))
    assert [event.position for event in events if isinstance(event, CallOpened)] == [0, 1]
    assert [event.call.position for event in events if isinstance(event, CallSealed)] == [0]
    assert not [event for event in events if isinstance(event, ThinkingDelta)]

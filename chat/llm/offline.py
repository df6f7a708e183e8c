"""The built-in model: no network and no weights, a few rules that really call tools, and honest about it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

from agent_tools.contract.definition import ToolDefinition
from chat.llm.history import acceptable
from chat.llm.profile import Profile
from chat.llm.types import (
    CallOpened,
    CallProgress,
    CallSealed,
    Message,
    RawCall,
    Request,
    Response,
    Role,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
)
from chat.llm.usage import Usage, estimate_tokens

NAME: Final = "offline"
_MAX_CALLS = 4
_SUMMARY = 400
_PIECES = re.compile(r"\s*(?:[^\s\u3000-\u9fff]+|[\u3000-\u9fff]{1,4})|\s+")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class _Rule:
    """What a person may ask for: the pattern's group is the argument; the tool is found by its schema and name."""

    pattern: re.Pattern[str]
    arguments: tuple[str, ...]
    names: tuple[str, ...]


_RULES: Final = (
    _Rule(
        re.compile(r"(https?://[^\s<>\"'`，。；、！？）】》]+[^\s<>\"'`，。；、！？）】》.,;:!?)\]])"),
        ("url",),
        ("fetch",),
    ),
    _Rule(
        re.compile(
            r"(?:\b(?:read|open|show|cat)\b|读取|阅读|打开|查看|读)\s*(?:the\s+|file\s+|文件)*[`\"“]?([\w./-]+\.\w+)",
            re.IGNORECASE,
        ),
        ("path", "file_path"),
        ("read",),
    ),
    _Rule(
        re.compile(
            r"\b(?:search|find|look)\b[^.]*?\b(?:papers?|articles|literature)\s+(?:about|on|for)\s+(.+)", re.IGNORECASE
        ),
        ("query",),
        ("search_papers", "paper"),
    ),
    _Rule(
        re.compile(r"(?:搜索|查找|检索|搜|找)(?:一下|一些)?(?:关于|有关)?\s*(.+?)\s*(?:方面)?的?(?:论文|文献|文章)"),
        ("query",),
        ("search_papers", "paper"),
    ),
)


@dataclass(frozen=True, slots=True)
class _Words:
    """Everything the model can say, in one language."""

    who: str
    wants: str
    results: str
    said: str
    help: str
    nothing: str


_ENGLISH: Final = _Words(
    who="I am the offline model built into this site: a few rules, no understanding.",
    wants="The message asks for something that {names} can do.",
    results="The tools have answered; I repeat what they said.",
    said="{name} answered:",
    help="Switch tools on and try “fetch https://example.org”, or upload a file and try “read notes.txt”.",
    nothing="No tool that fits is switched on here.",
)
_SIMPLIFIED: Final = _Words(
    who="我是本站内置的离线模型：只有几条规则，并不真正理解。",
    wants="这条消息想做的事可以用 {names} 完成。",
    results="工具已经返回结果，我来转述。",
    said="{name} 的结果：",
    help="请打开工具，然后试试“抓取 https://example.org”，或者上传文件后试试“读取 notes.txt”。",
    nothing="这里没有合适的工具可用。",
)


class OfflineModel:
    """A `LanguageModel` for a machine without any; streams word by word, `pause` seconds apart."""

    def __init__(self, *, pause: float = 0.02) -> None:
        self.profile = Profile()
        self._pause = pause

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Hold nothing."""

    async def stream(self, request: Request) -> AsyncGenerator[StreamEvent, None]:
        """Yield the events of one response; see `LanguageModel`."""
        history = acceptable(request.messages)
        asked = next(message.content for message in reversed(history) if message.role is Role.USER)
        words = _SIMPLIFIED if _CHINESE.search(asked) else _ENGLISH
        results = list(takewhile(lambda message: message.role is Role.TOOL, reversed(history)))[::-1]
        wanted = [] if results else list(_wanted(asked, request.tools))
        calls = _calls(wanted) if request.tool_choice != "none" else ()
        thinking = _thinking(calls, words, answered=bool(results)) if request.thinking else ""
        text = "" if calls else _answer(history, results, words, wanted=bool(_matches(asked)))
        for piece in _PIECES.findall(thinking):
            await asyncio.sleep(self._pause)
            yield ThinkingDelta(piece)
        for piece in _PIECES.findall(text):
            await asyncio.sleep(self._pause)
            yield TextDelta(piece)
        for call in calls:
            if call.position:
                yield CallSealed(calls[call.position - 1])
            await asyncio.sleep(self._pause)
            yield CallOpened(call.position, call.name)
            yield CallProgress(call.position, len(call.arguments))
        usage = _usage(history, text + thinking + "".join(call.arguments for call in calls))
        yield usage
        yield Response(
            text=text,
            thinking=thinking,
            calls=calls,
            finish_reason="tool_calls" if calls else "stop",
            usage=usage,
            model=NAME,
            profile=self.profile,
        )


def _matches(asked: str) -> list[tuple[_Rule, str]]:
    found = [(rule, match[1].strip().rstrip(" .。?？")) for rule in _RULES for match in rule.pattern.finditer(asked)]
    urls = [argument for rule, argument in found if rule is _RULES[0]]
    return [(rule, one) for rule, one in found if rule is _RULES[0] or not any(one in url for url in urls)]


def _wanted(asked: str, tools: Sequence[ToolDefinition]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the calls that the message asks for and a defined tool can take."""
    for rule, argument in dict.fromkeys(_matches(asked)):
        best = max(tools, key=lambda tool: _fitness(tool, rule, argument, asked), default=None)
        if best is not None and _fitness(best, rule, argument, asked) > 0:
            yield best.name, {_argument(best, rule): argument}


def _fitness(tool: ToolDefinition, rule: _Rule, argument: str, asked: str) -> int:
    """Say how well a tool fits; 0: it cannot be called with this argument alone."""
    named = any(name in tool.name for name in rule.names)
    if not _argument(tool, rule) or not (named or rule is _RULES[0]):
        return 0
    host = urlsplit(argument).netloc
    return 1 + sum(
        (
            8 * (tool.name in asked and tool.name not in rule.names),
            4 * (bool(host) and host in tool.description),
            2 * (tool.name in rule.names),
            1 * named,
        )
    )


def _argument(tool: ToolDefinition, rule: _Rule) -> str:
    required = tool.parameters.get("required") or []
    return required[0] if len(required) == 1 and required[0] in rule.arguments else ""


def _calls(wanted: Sequence[tuple[str, dict[str, str]]]) -> tuple[RawCall, ...]:
    return tuple(
        RawCall(position=position, name=name, arguments=json.dumps(arguments, ensure_ascii=False))
        for position, (name, arguments) in enumerate(wanted[:_MAX_CALLS])
    )


def _thinking(calls: Sequence[RawCall], words: _Words, *, answered: bool) -> str:
    if calls:
        return words.wants.format(names=", ".join(dict.fromkeys(call.name for call in calls)))
    return words.results if answered else words.who


def _answer(history: Sequence[Message], results: Sequence[Message], words: _Words, *, wanted: bool) -> str:
    if not results:
        return " ".join([words.who, *([words.nothing] if wanted else []), words.help])
    names = {call.id: call.name for message in history for call in message.calls}
    parts = [
        f"{words.said.format(name=names.get(result.call_id, ''))}\n\n{_quoted(result.content)}" for result in results
    ]
    return "\n\n".join([*parts, words.who])


def _quoted(text: str) -> str:
    """Return the beginning of a text as a quotation, cut between lines where that leaves half of it."""
    text = text.strip()
    told = text[:_SUMMARY]
    if len(text) > _SUMMARY:
        line = told.rfind("\n")
        told = f"{told[:line] if line > _SUMMARY // 2 else told}\n…"
    if told.count("```") % 2:
        told = f"{told.removesuffix('…').rstrip()}\n```\n…"
    return "\n".join(f"> {line}".rstrip() for line in told.splitlines())


def _usage(history: Sequence[Message], told: str) -> Usage:
    asked = sum(estimate_tokens(message.content) for message in history)
    return Usage(input_tokens=asked, output_tokens=estimate_tokens(told), estimated=True)

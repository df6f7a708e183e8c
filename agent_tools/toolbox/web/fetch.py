"""The fetch tool: one URL, inside an operator's limits, as text that a model can read."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from agent_tools.conf import conf
from agent_tools.contract.context import ToolContext
from agent_tools.contract.errors import RefusedError, ToolError
from agent_tools.contract.executor import ToolExecutor
from agent_tools.contract.result import ToolResult
from agent_tools.guards.client import GuardedClient
from agent_tools.guards.headers import merged_fields
from agent_tools.guards.network_errors import DeadlineError
from agent_tools.guards.policy import NetworkPolicy
from agent_tools.guards.response import Request, Response
from agent_tools.guards.transport import Network
from agent_tools.text.sniff import Kind
from agent_tools.text.striking import Striker
from agent_tools.toolbox.web.answer import answer, late_answer
from agent_tools.toolbox.web.fetch_config import FetchConfig, FetchInput
from agent_tools.toolbox.web.page import Page, Reader, Window
from agent_tools.toolbox.web.pager import LEAST_FOR_READING, MOST_BYTES, Pager
from agent_tools.toolbox.web.windows import split

GRACE = 5.0  # seconds that the pipeline waits beyond the tool's own deadline
_FORM = re.compile(r"[^\s=&]+=[^\s&]*(?:&[^\s=&]+=[^\s&]*)*")


class Fetch(ToolExecutor[FetchConfig, FetchInput]):
    """Fetches one URL. `network` stands for the outside world; without one it is this machine's own."""

    Config = FetchConfig
    Input = FetchInput
    title = "Fetch"
    summary = "Fetch a web page or an API over HTTP and return its text."
    enabled_by_default = True
    max_output_chars = 20_000

    def __init__(self, network: Network | None = None) -> None:
        self._network = network

    def input_schema(self, config: FetchConfig) -> Mapping[str, Any]:
        schema = FetchInput.model_json_schema()
        schema["properties"]["method"] = {
            "type": "string",
            "enum": ["GET", "POST"],
            "default": config.default_method,
            "description": "The request method.",
        }
        schema["properties"]["body"] = {
            "type": "string",
            "maxLength": 1_000_000,
            "description": "The request body of a POST.",
        }
        return schema

    def describe(self, config: FetchConfig) -> str:
        forms = {"markdown": "HTML comes as Markdown", "json": "JSON is parsed", "raw": "the text comes as it is"}
        some = {"*"} & set(config.allowed_domains)
        domains = "any public site" if some else f"only {', '.join(config.allowed_domains) or 'no site at all'}"
        blocked = f", but not {', '.join(config.blocked_domains)}" if config.blocked_domains else ""
        return (
            f"Reaches {domains}{blocked}; {forms[config.parse_mode]}. Answers within {config.timeout / 1000:g} s, "
            f"at most {config.max_response_size:,} bytes at a time; a longer page is read on with start_index."
        )

    def timeout(self, config: FetchConfig) -> float:
        return config.timeout / 1000 + GRACE

    def is_read_only(self, tool_input: FetchInput, config: FetchConfig) -> bool:
        return (tool_input.method or config.default_method) == "GET"

    def is_concurrency_safe(self, tool_input: FetchInput, config: FetchConfig) -> bool:
        return self.is_read_only(tool_input, config)

    def read_on(self, tool_input: FetchInput, result: ToolResult, shown: int) -> str:
        begin = result.metadata.get("text_at")
        if not isinstance(begin, int):
            return ""
        return f"fetch the same URL with start_index={tool_input.start_index + max(0, shown - begin)}"

    async def execute(self, tool_input: FetchInput, config: FetchConfig, context: ToolContext) -> ToolResult:
        request = _request(tool_input, config)
        job = _Job(
            request,
            Reader(config, Striker(set(config.headers_sent().values()) - set(config.harmless()))),
            GuardedClient(
                NetworkPolicy(config.allowed_domains, config.blocked_domains, config.allowed_networks),
                self._network or Network(proxy=conf.proxy),
                user_agent=conf.user_agent,
            ),
            time.monotonic() + request.timeout,
        )
        return await (job.read_on(tool_input.start_index) if tool_input.start_index else job.begin())


@dataclass(frozen=True, slots=True)
class _Job:
    """One request on its way to an answer; `deadline` is of the monotonic clock."""

    request: Request
    reader: Reader
    client: GuardedClient
    deadline: float

    async def begin(self) -> ToolResult:
        """Read the beginning of the body."""
        try:
            response = await self.client.send(self.request)
        except DeadlineError as error:
            if error.partial is None:
                raise
            return late_answer(await self._first_page(error.partial), error.partial, error)
        page = await self._first_page(response)
        next_index = (len(page.text) or None) if response.truncated and page.charset else None
        return answer(page, response, next_index=next_index, repeatable=self.request.method == "GET")

    async def read_on(self, start: int) -> ToolResult:
        """Read the window of the body that holds the character `start`."""
        pager = Pager(start, self.reader, self.request.max_bytes, self.deadline)
        try:
            response = await self.client.send(replace(self.request, max_bytes=MOST_BYTES), pager.take)
        except DeadlineError as error:
            if error.partial is not None:
                await pager.finish(error.partial)
            if pager.page is None or error.partial is None:
                raise
            return late_answer(pager.page, error.partial, error)
        await pager.finish(response)
        if pager.page is None:
            raise _nothing_more(pager, start, response)
        next_index = pager.next_index if pager.more else None
        return answer(pager.page, response, start=start, next_index=next_index, repeatable=self.request.method == "GET")

    async def _first_page(self, response: Response) -> Page:
        window = Window(response.content, cut=response.truncated)
        if response.truncated:
            raw = await self.reader.read_raw(window, response)
            kept, _carried = split(window.octets, raw.charset or "utf-8", html=raw.content.kind is Kind.HTML)
            window = Window(kept, cut=True)
        return await self.reader.read(window, response, max(LEAST_FOR_READING, self.deadline - time.monotonic()))


def _nothing_more(pager: Pager, start: int, response: Response) -> ToolError:
    if pager.first is not None and not pager.first.charset:
        message = "start_index: the answer is no text, so there is nothing to read on; fetch it without start_index."
    else:
        message = (
            f"start_index: the page has only {pager.next_index:,} characters, so there is nothing at {start:,}; "
            "begin at a smaller one."
        )
    details = {"status_code": response.status, "final_url": response.url}
    return ToolError(message, reason="nothing_more", details=details)


def _request(tool_input: FetchInput, config: FetchConfig) -> Request:
    method = tool_input.method or config.default_method
    if tool_input.body is not None and method != "POST":
        raise RefusedError("body: a body needs the method POST.", reason="invalid_arguments")
    fields = merged_fields(config.headers_sent(), tool_input.headers)
    if tool_input.body is not None and not any(name.lower() == "content-type" for name, _ in fields):
        fields = (*fields, ("Content-Type", _media_type(tool_input.body)))
    return Request(
        url=tool_input.url,
        method=method,
        headers=fields,
        body=(tool_input.body or "").encode(),
        timeout=config.timeout / 1000,
        max_bytes=config.max_response_size,
    )


def _media_type(body: str) -> str:
    """Return what a body without a stated type most likely is."""
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return "application/x-www-form-urlencoded" if _FORM.fullmatch(body) else "text/plain; charset=utf-8"
    return "application/json"

"""The fetch tool: one URL, inside an operator's limits, as text that a model can read."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agent_tools.conf import conf
from agent_tools.contract.calls import CallStatus
from agent_tools.contract.context import ToolContext
from agent_tools.contract.errors import ToolError
from agent_tools.contract.executor import ToolExecutor
from agent_tools.contract.result import ToolResult
from agent_tools.guards.client import GuardedClient
from agent_tools.guards.headers import merged_fields
from agent_tools.guards.network_errors import DeadlineError
from agent_tools.guards.policy import NetworkPolicy
from agent_tools.guards.response import Request, Response
from agent_tools.guards.transport import Network
from agent_tools.toolbox.web.fetch_config import FetchConfig, FetchInput
from agent_tools.toolbox.web.page import Page, Window, read_page, remarks
from agent_tools.toolbox.web.pager import MOST_BYTES, Pager
from agent_tools.toolbox.web.windows import split

LEAST_FOR_READING = 1.0  # seconds a page gets to be converted, however late it arrived
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
        began = time.monotonic()
        request = _request(tool_input, config)
        client = GuardedClient(
            NetworkPolicy(config.allowed_domains, config.blocked_domains, config.allowed_networks),
            self._network or Network(proxy=conf.proxy),
            user_agent=conf.user_agent,
        )
        try:
            if tool_input.start_index:
                return await _go_on(client, request, tool_input.start_index, config)
            response = await client.send(request)
        except DeadlineError as error:
            return await _late(error, config)
        left = max(LEAST_FOR_READING, request.timeout - (time.monotonic() - began))
        return _result(*await _first_page(response, config, left), response)


def _request(tool_input: FetchInput, config: FetchConfig) -> Request:
    method = tool_input.method or config.default_method
    if tool_input.body is not None and method != "POST":
        raise ToolError("body: a body needs the method POST.", reason="invalid_arguments")
    operator = {name: value.get_secret_value() for name, value in config.default_headers.items()}
    fields = merged_fields(operator, tool_input.headers)
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


async def _first_page(response: Response, config: FetchConfig, seconds: float) -> tuple[Page, int, int | None]:
    """Read the beginning of a body; return it, where it starts, and where to go on if it was cut."""
    window = Window(response.content, cut=response.truncated)
    if response.truncated:
        raw = await read_page(window, response, config.model_copy(update={"parse_mode": "raw"}), 0)
        html = raw.content.kind == "html" and config.parse_mode == "markdown"
        window = replace(window, octets=split(window.octets, raw.charset or "utf-8", html=html)[0])
    page = await read_page(window, response, config, seconds)
    return page, 0, len(page.text) if response.truncated and page.charset else None


async def _go_on(client: GuardedClient, request: Request, start: int, config: FetchConfig) -> ToolResult:
    pager = Pager(start, config, max(LEAST_FOR_READING, request.timeout))
    response = await client.send(replace(request, max_bytes=MOST_BYTES), pager.take)
    await pager.finish(response)
    if pager.page is None:
        raise ToolError(
            f"start_index: the page has only {pager.next_index:,} characters, so there is nothing at {start:,}.",
            reason="nothing_more",
            details={"status_code": response.status, "final_url": response.url},
        )
    return _result(pager.page, start, pager.next_index if pager.more else None, response)


async def _late(error: DeadlineError, config: FetchConfig) -> ToolResult:
    if error.partial is None:
        raise error
    page, _start, _next = await _first_page(error.partial, config, LEAST_FOR_READING)
    return ToolResult.failed(
        error.message,
        reason=error.reason,
        status=CallStatus.TIMEOUT,
        data=page.data,
        content=f"{error.message} What had arrived:\n\n{page.text}",
        metadata={**_facts(page, error.partial), **error.details},
    )


def _result(page: Page, start: int, next_index: int | None, response: Response) -> ToolResult:
    notes = remarks(page, response)
    facts = _facts(page, response)
    if start:
        notes.append(f"This is the page from character {start:,} on.")
    if response.truncated or next_index is not None:
        facts["truncated"] = True
        size = "The answer was cut" if start else f"The answer was cut after {len(response.content):,} bytes"
        more = f"; to read on, fetch the same URL with start_index={next_index}." if next_index is not None else "."
        notes.append(size + more)
    if next_index is not None:
        facts["next_index"] = next_index
    if notes:
        facts["warnings"] = notes
    opening = "".join(f"[{note}]\n" for note in notes) + ("\n" if notes else "")
    facts["text_at"] = len(opening)
    return ToolResult.ok(page.data, opening + page.text, facts)


def _facts(page: Page, response: Response) -> dict[str, Any]:
    return {
        "status_code": response.status,
        "final_url": response.url,
        "redirects": [{"url": hop.url, "status_code": hop.status} for hop in response.hops],
        "content_type": response.content_type,
        "charset": page.charset,
        "response_size": len(response.content) or response.wire_size,
        "truncated": response.truncated,
        "duration_ms": response.elapsed_ms,
    }

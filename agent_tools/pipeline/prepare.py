"""First stage: find each call's tool, open its configuration, read and validate the arguments."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent_tools import configs
from agent_tools.contract.calls import Ran, Reason, ToolCall
from agent_tools.contract.context import Scope
from agent_tools.contract.errors import ConfigError, InvalidInputError
from agent_tools.contract.result import ToolResult
from agent_tools.models import AgentTool
from agent_tools.pipeline.arguments import read
from agent_tools.pipeline.failures import Catching
from agent_tools.pipeline.running import Bound, Running
from agent_tools.pipeline.validation import validated
from agent_tools.registry import registry
from agent_tools.text.scrub import lenient_json, safe_text
from agent_tools.text.striking import Striker

MOST_NAMES = 60
LONGEST_NAME = 100
LONGEST_UNREAD = 100_000
"""Characters that are kept of arguments that cannot be read."""


def prepare(calls: Iterable[ToolCall], scope: Scope, tools: Sequence[AgentTool]) -> list[Running]:
    """Return one record a call, in their order. A call that cannot run has ended, with a result that says how to mend
    it; the others are prepared.
    """
    by_slug = {tool.slug: tool for tool in tools}
    types = {tool.slug: tool.type for tool in tools}
    batch = [Running(call=call, scope=scope, tools=types) for call in calls]
    bound: dict[str, Bound] = {}
    for running in batch:
        with Catching(running):
            _prepare(running, by_slug, bound)
    return batch


def _as_it_came(arguments: object) -> Any:
    """Return what the record shows of arguments until they could be read."""
    if isinstance(arguments, str):
        text = safe_text(arguments[:LONGEST_UNREAD]).value
        return text if len(arguments) <= LONGEST_UNREAD else f"{text}…"
    return lenient_json(arguments).value


def bind(tool: AgentTool) -> Bound:
    """Open a tool for use; raises `UnknownToolTypeError`, or `InvalidInputError` for a broken configuration."""
    executor = registry.get(tool.type)
    try:
        config = tool.load_config()
    except ConfigError as error:
        raise InvalidInputError(error.problems, reason=Reason.MISCONFIGURED) from error
    return Bound(
        tool=tool,
        executor=executor,
        config=config,
        schema=executor.input_schema(config),
        striker=Striker(configs.secret_values(config)),
    )


def _prepare(running: Running, by_slug: Mapping[str, AgentTool], bound: dict[str, Bound]) -> None:
    """Prepare one call; each tool is opened once a batch, and remembered in `bound`."""
    call = running.call
    running.sent = _as_it_came(call.arguments)
    running.tool = by_slug.get(call.name)
    if running.tool is None:
        running.result = _unknown(call.name, sorted(by_slug))
        return
    running.bound = bound[call.name] = bound.get(call.name) or bind(running.tool)
    running.sent = arguments = read(call.arguments, sealed=call.sealed)
    running.request = validated(running.bound, arguments)


def _unknown(name: str, slugs: Sequence[str]) -> ToolResult:
    shown = safe_text(name).value[:LONGEST_NAME]
    by_folded = {slug.casefold(): slug for slug in slugs}
    near = difflib.get_close_matches(shown.casefold(), by_folded, 1)
    hint = f" Did you mean {by_folded[near[0]]!r}?" if near else ""
    rest = f" and {len(slugs) - MOST_NAMES} more" if len(slugs) > MOST_NAMES else ""
    known = f"Available: {', '.join(slugs[:MOST_NAMES])}{rest}." if slugs else "No tools are available here."
    return ToolResult.failed(f"There is no tool {shown!r}.{hint} {known}", reason=Reason.UNKNOWN_TOOL, ran=Ran.NO)

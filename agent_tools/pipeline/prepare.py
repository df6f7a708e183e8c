"""First stage: find each call's tool, open its configuration, read and validate the arguments."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence

from agent_tools import configs
from agent_tools.contract.calls import Ran, Reason, ToolCall
from agent_tools.contract.context import Scope
from agent_tools.contract.errors import ConfigError, InvalidInputError
from agent_tools.contract.result import ToolResult
from agent_tools.models import AgentTool
from agent_tools.pipeline.arguments import read
from agent_tools.pipeline.failures import Catching
from agent_tools.pipeline.running import Bound, Running
from agent_tools.pipeline.scrub import safe_text
from agent_tools.pipeline.validation import validated
from agent_tools.registry import registry

MOST_NAMES = 60
LONGEST_NAME = 100


def prepare(calls: Iterable[ToolCall], scope: Scope, tools: Sequence[AgentTool]) -> list[Running]:
    """Return one record a call, in their order. A call that cannot run has ended, with a result that says how to mend
    it; the others are ready.
    """
    by_slug = {tool.slug: tool for tool in tools}
    types = {tool.slug: tool.type for tool in tools}
    return [_prepared(Running(call=call, scope=scope, tools=types), by_slug) for call in calls]


def _prepared(running: Running, by_slug: Mapping[str, AgentTool]) -> Running:
    call = running.call
    running.tool = by_slug.get(call.name)
    running.sent = safe_text(call.arguments) if isinstance(call.arguments, str) else None
    with Catching(running):
        if running.tool is None:
            running.result = _unknown(call.name, list(by_slug))
            return running
        running.bound = bind(running.tool)
        arguments = read(call.arguments, sealed=call.sealed)
        running.sent = arguments
        running.request = validated(running.bound, arguments)
    return running


def bind(tool: AgentTool) -> Bound:
    """Open a tool for use; raises `UnknownToolTypeError` or `ConfigError`."""
    executor = registry.get(tool.type)
    try:
        config = tool.load_config()
    except ConfigError as error:
        raise InvalidInputError(error.problems, reason=Reason.MISCONFIGURED) from error
    return Bound(tool=tool, executor=executor, config=config, secrets=configs.secret_values(config))


def _unknown(name: str, slugs: Sequence[str]) -> ToolResult:
    shown = safe_text(name)[:LONGEST_NAME]
    near = difflib.get_close_matches(shown.lower(), slugs, 1) or difflib.get_close_matches(shown, slugs, 1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    rest = f" and {len(slugs) - MOST_NAMES} more" if len(slugs) > MOST_NAMES else ""
    known = f"Available: {', '.join(sorted(slugs)[:MOST_NAMES])}{rest}." if slugs else "There are no tools here."
    return ToolResult.failed(f"There is no tool {shown!r}.{hint} {known}", reason=Reason.UNKNOWN_TOOL, ran=Ran.NO)

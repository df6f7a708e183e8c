"""Runs the hooks of all apps, each inside its time: before a call, and after it has run."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.apps import apps

from agent_tools.contract.calls import CallStatus, Ran, Reason
from agent_tools.contract.hooks import (
    AppendContext,
    Block,
    HookCall,
    Keep,
    MutateInput,
    MutateOutput,
    PermissionRequired,
    Proceed,
    Registration,
    registry,
)
from agent_tools.contract.permissions import Action, Source, Verdict
from agent_tools.contract.result import ToolResult
from agent_tools.pipeline import threads
from agent_tools.pipeline.failures import foreseen
from agent_tools.pipeline.globs import matches
from agent_tools.pipeline.running import Running
from agent_tools.text.scrub import lenient_json

logger = logging.getLogger(__name__)
LONGEST_NOTE = 4_000


class HookTrouble(Exception):  # noqa: N818 - it is told, not raised on
    """A hook failed, took too long, or gave back something that is no outcome."""


def in_order(hooks: Sequence[Registration], slug: str) -> list[Registration]:
    """Return the hooks for a tool in the order of INSTALLED_APPS, then of their `order`, then of their names."""
    positions = {config.name: position for position, config in enumerate(apps.get_app_configs())}

    def place(hook: Registration) -> tuple[int, int, str]:
        app = apps.get_containing_app_config(hook.function.__module__)
        return positions[app.name] if app else len(positions), hook.order, hook.name

    mine = [hook for hook in hooks if any(matches(pattern, slug) for pattern in hook.tools)]
    return sorted(mine, key=place)


async def before(running: Running) -> None:
    """Let each hook in turn look at the call; one may end it, change its arguments, demand a permission, add a text."""
    for hook in in_order(registry.before, running.slug) if running.open else ():
        try:
            _apply_before(running, hook, await _outcome(hook, _view(running)))
        except HookTrouble as trouble:
            _report(hook, running, trouble)
            if hook.guard:
                running.result = _blocked(f"The guard {hook.name} failed, so the call was not let through.")
        if not running.open:
            return


async def after(running: Running) -> None:
    """Show the result of a call that ran to each hook in turn; one may change the output or add a text."""
    for hook in in_order(registry.after, running.slug) if running.started else ():
        try:
            _apply_after(running, await _outcome(hook, _view(running), _shown(running.ended())))
        except HookTrouble as trouble:
            _report(hook, running, trouble)


def _view(running: Running) -> HookCall:
    """Return what a hook sees: a copy, so that only outcomes change the call."""
    bound, request = running.prepared()
    return HookCall(
        call_id=running.call.id,
        slug=running.slug,
        type=bound.tool.type,
        arguments=lenient_json(running.rewritten if running.rewritten is not None else request.arguments).value,
        door=running.scope.door,
        user_id=running.scope.user_id,
        session_id=running.scope.session_id,
    )


def _shown(result: ToolResult) -> ToolResult:
    return replace(result, data=lenient_json(result.data).value, metadata=lenient_json(dict(result.metadata)).value)


async def _outcome(hook: Registration, *arguments: Any) -> Any:
    """Call the hook, in a thread unless it is async; raises `HookTrouble` for whatever goes wrong."""
    try:
        async with asyncio.timeout(hook.timeout):
            if _is_async(hook.function):
                return await hook.function(*arguments)
            found = await asyncio.wrap_future(threads.submit(threads.hooks, hook.function, *arguments))
            return await found if inspect.isawaitable(found) else found
    except TimeoutError as error:
        raise HookTrouble(f"took longer than {hook.timeout:g} s") from error
    except BaseException as error:
        if foreseen(error):
            raise HookTrouble("failed") from error
        raise


def _is_async(function: Any) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


def _apply_before(running: Running, hook: Registration, outcome: Any) -> None:
    match outcome:
        case None | Proceed():
            return
        case Block(reason):
            running.result = _blocked(f"Not run: {reason}", Reason.HOOK_BLOCKED, hook.name)
        case MutateInput(arguments) if isinstance(arguments, Mapping):
            running.rewritten = arguments
            running.rewritten_by.append(hook.name)
        case AppendContext(text):
            running.notes.append(str(text)[:LONGEST_NOTE])
        case PermissionRequired(message):
            running.asks.append(Verdict(Action.ASK, str(message), Source.HOOK, hook.name))
        case _:
            raise HookTrouble(f"gave back {type(outcome).__name__}, which is no outcome of a hook before a call")


def _apply_after(running: Running, outcome: Any) -> None:
    match outcome:
        case None | Keep():
            return
        case MutateOutput():
            result = running.ended()
            running.result = replace(
                result,
                content=result.content if outcome.content is None else str(outcome.content),
                data=result.data if outcome.data is None else outcome.data,
                metadata={**result.metadata, **outcome.metadata},
            )
        case AppendContext(text):
            running.notes.append(str(text)[:LONGEST_NOTE])
        case _:
            raise HookTrouble(f"gave back {type(outcome).__name__}, which is no outcome of a hook after a call")


def _blocked(sentence: str, reason: Reason = Reason.HOOK_FAILED, name: str = "") -> ToolResult:
    metadata = {"hook": name} if name else {}
    return ToolResult.failed(sentence, reason=reason, status=CallStatus.DENIED, metadata=metadata, ran=Ran.NO)


def _report(hook: Registration, running: Running, trouble: HookTrouble) -> None:
    logger.error("Hook %s for call %s of %r %s", hook.name, running.call.id, running.slug, trouble, exc_info=trouble)

"""A tool type that goes wrong in the way that it is told."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from agent_tools.contract.calls import CallStatus
from agent_tools.contract.context import ToolContext
from agent_tools.contract.errors import RefusedError, ToolError, ToolTimeoutError, UnavailableError
from agent_tools.contract.executor import ToolConfig, ToolExecutor, ToolInput
from agent_tools.contract.permissions import Verdict
from agent_tools.contract.result import ToolResult


class NoConfig(ToolConfig):
    """Nothing to decide."""


class FaultInput(ToolInput):
    kind: str = "bug"


class Faulty(ToolExecutor[NoConfig, FaultInput]):
    """Goes wrong in the way that it is told."""

    Config = NoConfig
    Input = FaultInput
    title = "Faulty"
    summary = "Goes wrong."

    def is_read_only(self, tool_input: FaultInput, config: NoConfig) -> bool:
        return self._judge(tool_input, "read_only")

    def is_concurrency_safe(self, tool_input: FaultInput, config: NoConfig) -> bool:
        return self._judge(tool_input, "safety")

    def permissions(self, tool_input: FaultInput, config: NoConfig, context: ToolContext) -> Sequence[Verdict]:
        self._judge(tool_input, "permissions")
        return ()

    @staticmethod
    def _judge(tool_input: FaultInput, where: str) -> bool:
        if tool_input.kind == where:
            raise ZeroDivisionError(where)
        return True

    async def execute(self, tool_input: FaultInput, config: NoConfig, context: ToolContext) -> Any:
        kind = tool_input.kind
        errors: Mapping[str, BaseException] = {
            "bug": ZeroDivisionError("a bug"),
            "exit": SystemExit(1),
            "cancel": asyncio.CancelledError(),
            "tool": ToolError("It is broken.", reason="broken", details={"part": "lid"}),
            "timeout": ToolTimeoutError("The other side did not answer in time."),
            "refused": RefusedError("That is outside.", reason="outside"),
            "unavailable": UnavailableError("There is no printer."),
        }
        if kind in errors:
            raise errors[kind]
        return GARBAGE.get(kind)


GARBAGE: Mapping[str, Any] = {
    "nothing": None,
    "text": "a text",
    "content": ToolResult.ok({"a": 1}, 5),  # type: ignore[arg-type]
    "metadata": ToolResult(success=True, status=CallStatus.SUCCESS, metadata=[1]),  # type: ignore[arg-type]
    "denied": ToolResult(success=False, status="denied"),  # type: ignore[arg-type]
    "strange": ToolResult.ok({"nan": float("nan"), "object": object, "bytes": b"\xff", 1: {2, 3}}),
    "dirty": ToolResult.ok({"k\0ey": "\ud83d"}, "a\0b \ud83d\ude00 \udead", {"m": "\0"}),
    "lock": ToolResult.ok({"lock": threading.Lock()}, "locked"),
    "empty": ToolResult.ok(),
    "blank": ToolResult.ok(None, "  \n"),
    "data": ToolResult.ok({"b": 1, "a": ["é"]}),
}

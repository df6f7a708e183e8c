"""What a tool type is: one class that the pipeline can describe, judge and run."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from agent_tools.contract.context import ToolContext
from agent_tools.contract.interrupts import Interrupt
from agent_tools.contract.permissions import Verdict
from agent_tools.contract.result import ToolResult


class ToolConfig(BaseModel):
    """Base of every type's configuration: what an operator decides about one tool of that type.

    Every field needs a default, a `title` and a `description` (the admin's help text). A `pydantic.SecretStr` is
    write-only: encrypted at rest and never shown again.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    def harmless(self) -> Collection[str]:
        """Return the secret values that give nothing away, so that they are not struck out of results."""
        return ()


class ToolInput(BaseModel):
    """Base of every type's input: what the model sends. Descriptions are read by the model."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


ConfigT = TypeVar("ConfigT", bound=ToolConfig)
InputT = TypeVar("InputT", bound=ToolInput)


class ToolExecutor(ABC, Generic[ConfigT, InputT]):
    """A tool type. One instance serves all calls, so it keeps nothing between them.

    `title` and `summary` (for the model) fill the row of a fresh installation; `enabled_by_default` is for tools that
    only read. `max_output_chars` bounds the model's text; longer output is kept whole and shortened. `background`
    tools may be run without a conversation waiting. An equal call of a `pollable` tool is no loop while its answers
    change.
    """

    Config: type[ConfigT]
    Input: type[InputT]

    title: ClassVar[str]
    summary: ClassVar[str]
    enabled_by_default: ClassVar[bool] = False
    interrupt: ClassVar[Interrupt] = Interrupt.CANCEL
    causes_sibling_abort: ClassVar[bool] = False
    pollable: ClassVar[bool] = False
    background: ClassVar[bool] = False
    max_output_chars: ClassVar[int] = 4_000

    def input_schema(self, config: ConfigT) -> Mapping[str, Any]:
        """Return the JSON Schema (2020-12) of the input, narrowed by the configuration."""
        return self.Input.model_json_schema()

    def describe(self, config: ConfigT) -> str:
        """Return what the configuration adds to the row's description; empty for nothing."""
        return ""

    def timeout(self, config: ConfigT) -> float | None:
        """Return the limit of one call in seconds, or none for the platform's."""
        return None

    def is_read_only(self, tool_input: InputT, config: ConfigT) -> bool:
        """Tell whether this call changes nothing: it may then be repeated after a crash, or start early."""
        return False

    def is_concurrency_safe(self, tool_input: InputT, config: ConfigT) -> bool:
        """Tell whether this call may run beside its neighbours."""
        return False

    def permissions(self, tool_input: InputT, config: ConfigT, context: ToolContext) -> Sequence[Verdict]:
        """Return what the tool itself says about this call."""
        return ()

    def read_on(self, tool_input: InputT, result: ToolResult, shown: int) -> str:
        """Say how the model gets the rest of a content of which it was given the first `shown` characters; empty
        where this tool knows no way.
        """
        return ""

    @abstractmethod
    async def execute(self, tool_input: InputT, config: ConfigT, context: ToolContext) -> ToolResult:
        """Do the work. Raise a `ToolError` for a failure with a reason; anything else counts as a bug."""


class BlockingToolExecutor(ToolExecutor[ConfigT, InputT]):
    """A tool type whose work is synchronous. It runs in a bounded pool of threads and cannot be killed: one that
    outlives its time is reported as still running, and its late result is logged, never given.
    """

    @abstractmethod
    def execute_blocking(self, tool_input: InputT, config: ConfigT, context: ToolContext) -> ToolResult:
        """Do the work in a thread; as `execute`."""

    async def execute(self, tool_input: InputT, config: ConfigT, context: ToolContext) -> ToolResult:
        return await asyncio.to_thread(self.execute_blocking, tool_input, config, context)

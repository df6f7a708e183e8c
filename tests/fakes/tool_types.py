"""Tool types for tests, one for each way in which a tool can behave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from agent_tools.contract.context import ToolContext
from agent_tools.contract.executor import ToolConfig, ToolExecutor, ToolInput
from agent_tools.contract.result import ToolResult
from agent_tools.registry import registry


class NoConfig(ToolConfig):
    """Nothing to decide."""


class EchoInput(ToolInput):
    text: str = ""


class Echo(ToolExecutor[NoConfig, EchoInput]):
    """Gives back what it got; read-only and safe."""

    Config = NoConfig
    Input = EchoInput
    title = "Echo"
    summary = "Gives back the text."

    def is_read_only(self, tool_input: EchoInput, config: NoConfig) -> bool:
        return True

    def is_concurrency_safe(self, tool_input: EchoInput, config: NoConfig) -> bool:
        return True

    async def execute(self, tool_input: EchoInput, config: NoConfig, context: ToolContext) -> ToolResult:
        return ToolResult.ok({"text": tool_input.text}, tool_input.text)


class Faulty(Echo):
    """Has a bug."""

    async def execute(self, tool_input: EchoInput, config: NoConfig, context: ToolContext) -> ToolResult:
        raise ZeroDivisionError("a bug")


TYPES: Mapping[str, str] = {kind.__name__.lower(): f"{kind.__module__}.{kind.__qualname__}" for kind in (Echo, Faulty)}


@contextmanager
def known_types() -> Iterator[None]:
    """Let the registry know every type of this module, by its class's name in lower case."""
    with registry.extended(TYPES):
        yield

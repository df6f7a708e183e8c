"""A tool type that exercises what the API shows: required input, a narrowed schema, secrets, facts and failures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

from pydantic import Field, SecretStr

from agent_tools.contract.context import ToolContext
from agent_tools.contract.errors import ToolError
from agent_tools.contract.executor import ToolConfig, ToolExecutor, ToolInput
from agent_tools.contract.result import ToolResult
from agent_tools.registry import registry


class GreeterConfig(ToolConfig):
    greeting: Literal["Hello", "Goodbye"] = Field(default="Hello", title="Greeting", description="The first word.")
    limit: int = Field(default=3, ge=1, le=10, title="Limit", description="How many greetings at most.")
    token: SecretStr | None = Field(default=None, title="Token", description="Opens the door.")
    headers: dict[str, SecretStr] = Field(default_factory=dict, title="Headers", description="Sent along.")


class GreeterInput(ToolInput):
    name: str = Field(min_length=1, description="Whom to greet.")
    url: str = Field(description="Where to.")
    times: int = Field(default=1, ge=1)


class Greeter(ToolExecutor[GreeterConfig, GreeterInput]):
    """Greets; `nobody` is an error, `bug` a bug, `text` gives text alone."""

    Config = GreeterConfig
    Input = GreeterInput
    title = "Greeter"
    summary = "Greets someone."

    def input_schema(self, config: GreeterConfig) -> Mapping[str, Any]:
        schema = self.Input.model_json_schema()
        schema["properties"]["times"]["maximum"] = config.limit
        return schema

    def describe(self, config: GreeterConfig) -> str:
        return f"Says {config.greeting}, {config.limit} times at most."

    async def execute(self, tool_input: GreeterInput, config: GreeterConfig, context: ToolContext) -> ToolResult:
        if tool_input.name == "nobody":
            raise ToolError("Nobody is there to be greeted.", reason="nobody_there", details={"looked": True})
        if tool_input.name == "bug":
            raise ZeroDivisionError("a bug")
        text = f"{config.greeting}, {tool_input.name}!"
        if tool_input.name == "text":
            return ToolResult.ok(None, text)
        return ToolResult.ok({"greetings": [text] * tool_input.times}, metadata={"status_code": 200})


LINES = {
    "greeter": "tests.fakes.api_types.Greeter",
    "lost": "tests.fakes.api_types.NowhereToBeFound",
}


@contextmanager
def known_types() -> Iterator[None]:
    """Let the registry know the greeter, and a type whose class is missing."""
    with registry.extended(LINES):
        yield

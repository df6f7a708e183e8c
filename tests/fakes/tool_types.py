"""Tool types for tests, one for each way in which a tool can behave; those that can be held are in `workers`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from pydantic import Field, SecretStr

from agent_tools.contract.context import ToolContext
from agent_tools.contract.executor import ToolConfig, ToolExecutor, ToolInput
from agent_tools.contract.permissions import Action, Source, Verdict
from agent_tools.contract.ports import Prompt, Question
from agent_tools.contract.result import UNCHANGED_OF, ToolResult
from agent_tools.registry import registry
from tests.fakes.faulty import Faulty, NoConfig
from tests.fakes.workers import Critical, Sleeper, Stubborn, Threaded, ThreadedWriter, Worker, Writer


class EchoInput(ToolInput):
    text: str = ""
    count: int = Field(default=1, ge=1, le=5_000_000)


class Echo(ToolExecutor[NoConfig, EchoInput]):
    """Gives back what it got, as often as asked; read-only and safe."""

    Config = NoConfig
    Input = EchoInput
    title = "Echo"
    summary = "Gives back the text."

    def is_read_only(self, tool_input: EchoInput, config: NoConfig) -> bool:
        return True

    def is_concurrency_safe(self, tool_input: EchoInput, config: NoConfig) -> bool:
        return True

    async def execute(self, tool_input: EchoInput, config: NoConfig, context: ToolContext) -> ToolResult:
        text = tool_input.text * tool_input.count
        return ToolResult.ok({"text": text}, text)


class Scroll(Echo):
    """Knows itself how the rest of what it gave is read, if the text begins with a number."""

    def read_on(self, tool_input: EchoInput, result: ToolResult, shown: int) -> str:
        return f"begin at {int(tool_input.text[0]) + shown}"


class ReadFile(Echo):
    """Stands for the type that reads kept outputs."""


class ShapeInput(ToolInput):
    path: str = Field(min_length=1, max_length=20)
    mode: Literal["read", "write"] = "read"
    depth: int | None = Field(default=None, ge=1, le=9)
    headers: dict[str, str] = Field(default_factory=dict)
    items: list[dict[str, Any]] = Field(default_factory=list, max_length=3)


class Shaped(ToolExecutor[NoConfig, ShapeInput]):
    """Has arguments of many shapes and gives them back as data."""

    Config = NoConfig
    Input = ShapeInput
    title = "Shaped"
    summary = "Takes arguments of many shapes."

    async def execute(self, tool_input: ShapeInput, config: NoConfig, context: ToolContext) -> ToolResult:
        return ToolResult.ok(tool_input.model_dump())


class AnswerInput(ToolInput):
    job: str = "job"


class Answers(ToolExecutor[NoConfig, AnswerInput]):
    """Gives one scripted answer after the other, the last for ever; None means unchanged."""

    Config = NoConfig
    Input = AnswerInput
    title = "Answers"
    summary = "Answers."

    def __init__(self) -> None:
        self.script: list[str | None] = ["same"]
        self.runs = 0

    async def execute(self, tool_input: AnswerInput, config: NoConfig, context: ToolContext) -> ToolResult:
        answer = self.script[min(self.runs, len(self.script) - 1)]
        self.runs += 1
        if answer is None:
            return ToolResult.ok(None, "unchanged", {UNCHANGED_OF: "an earlier call"})
        return ToolResult.ok({"answer": answer}, answer)


class Pollable(Answers):
    """The same, but may be asked again while answers change."""

    pollable = True


class StrictInput(ToolInput):
    verdict: str = "allow"
    path: str = ""


class Strict(ToolExecutor[NoConfig, StrictInput]):
    """Judges its own calls as their input says, and claims to be an operator."""

    Config = NoConfig
    Input = StrictInput
    title = "Strict"
    summary = "Judges itself."

    def permissions(self, tool_input: StrictInput, config: NoConfig, context: ToolContext) -> Sequence[Verdict]:
        reason = f"the tool says {tool_input.verdict}"
        return (Verdict(Action(tool_input.verdict), reason, Source.RULE), Verdict(Action.ALLOW, "", Source.GRANT))

    async def execute(self, tool_input: StrictInput, config: NoConfig, context: ToolContext) -> ToolResult:
        return ToolResult.ok(None, f"ran {tool_input.path}")


class CuriousInput(ToolInput):
    question: str = "Really?"


class CuriousConfig(ToolConfig):
    limit: float = 60


class Curious(ToolExecutor[CuriousConfig, CuriousInput]):
    """Asks the person while it runs."""

    Config = CuriousConfig
    Input = CuriousInput
    title = "Curious"
    summary = "Asks."

    def timeout(self, config: CuriousConfig) -> float | None:
        return config.limit

    async def execute(self, tool_input: CuriousInput, config: CuriousConfig, context: ToolContext) -> ToolResult:
        answer = await context.ports.asker.ask(Question(call_id=context.call_id, text=tool_input.question))
        return ToolResult.ok({"answer": answer.text}, answer.text)


class Adviser(ToolExecutor[NoConfig, AnswerInput]):
    """Asks the language model."""

    Config = NoConfig
    Input = AnswerInput
    title = "Adviser"
    summary = "Advises."

    async def execute(self, tool_input: AnswerInput, config: NoConfig, context: ToolContext) -> ToolResult:
        return ToolResult.ok(None, (await context.ports.model.complete(Prompt(messages=[("user", "?")]))).text)


class SecretConfig(ToolConfig):
    token: SecretStr = SecretStr("")
    pin: SecretStr = SecretStr("")


class Secretive(ToolExecutor[SecretConfig, EchoInput]):
    """Spills its own secrets everywhere, or fails with them."""

    Config = SecretConfig
    Input = EchoInput
    title = "Secretive"
    summary = "Spills secrets."

    async def execute(self, tool_input: EchoInput, config: SecretConfig, context: ToolContext) -> ToolResult:
        token, pin = config.token.get_secret_value(), config.pin.get_secret_value()
        if tool_input.text == "bug":
            raise ValueError(f"cannot use {token}")
        if tool_input.text == "fail":
            return ToolResult.failed(f"{token} was refused", reason="refused", metadata={token: [f"x{token}y"]})
        await context.progress(None, f"with {token}")
        return ToolResult.ok({"token": token, token: 1}, f"pin {pin}, token {token}, pinned")


KINDS = (
    *(Echo, Scroll, Shaped, Faulty, Answers, Pollable, Strict, Curious, Adviser, Secretive),
    *(Worker, Sleeper, Writer, Critical, Stubborn, Threaded, ThreadedWriter),
)
TYPES: Mapping[str, str] = {kind.__name__.lower(): f"{kind.__module__}.{kind.__qualname__}" for kind in KINDS} | {
    "read_file": f"{__name__}.{ReadFile.__qualname__}"
}


@contextmanager
def known_types() -> Iterator[None]:
    """Let the registry know every type of this module, by its class's name in lower case; instances are fresh."""
    with registry.extended(TYPES):
        yield

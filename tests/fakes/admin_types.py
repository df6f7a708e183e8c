"""Tool types whose configuration and input need every kind of form field, and types that are broken."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import Enum
from typing import Any, Literal

from django.db import connection
from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator

from agent_tools.contract.context import ToolContext
from agent_tools.contract.errors import RefusedError
from agent_tools.contract.executor import ToolConfig, ToolExecutor, ToolInput
from agent_tools.contract.permissions import Action, Verdict
from agent_tools.contract.result import ToolResult

HOSTILE = "<script>alert('x')</script>"


SECRETS = ("stored-token", "stored-key", "stored-limit-key")
"""What the stored tool of the tests keeps secret."""


class Level(Enum):
    LOW = 1
    HIGH = 2


class Limits(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    most: int = Field(default=5, ge=1, title="At most", description="Items in one answer.")
    key: SecretStr | None = Field(default=None, title="Key", description="For the shop.")


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    size: int = 1


class ShopConfig(ToolConfig):
    """Every kind of field there is."""

    greeting: str = Field(default="Hello", max_length=40, title="Greeting", description="Said first.")
    count: int = Field(default=3, ge=1, le=9, title="Count", description="In pieces.")
    ratio: float = Field(default=0.5, gt=0, lt=1, title="Ratio", description="A share from 0 to 1.")
    strict: bool = Field(default=True, title="Strict", description="Refuse what is unclear.")
    maybe: bool | None = Field(default=None, title="Maybe", description="Yes, no or neither.")
    mode: Literal["fast", "slow"] = Field(default="fast", title="Mode", description="How to go about it.")
    level: Level = Field(default=Level.LOW, title="Level", description="How much is said.")
    days: list[Literal["mon", "tue"]] = Field(default_factory=list, title="Days", description="When it is open.")
    words: list[str] = Field(default_factory=lambda: ["one"], title="Words", description="Known words.")
    sizes: list[int] = Field(default_factory=list, title="Sizes", description="In millimetres.")
    labels: dict[str, str] = Field(default_factory=dict, title="Labels", description="Shown on the box.")
    token: SecretStr | None = Field(default=None, title="Token", description="From the shop's owner.")
    headers: dict[str, SecretStr] = Field(default_factory=dict, title="Headers", description="Sent along.")
    note: str | None = Field(default=None, title="Note", description="<b>Anything</b> at all.")
    ceiling: int | None = Field(default=None, title="Ceiling", description="None for no ceiling.")
    parts: list[Part] = Field(default_factory=list, title="Parts", description="Name and size of each.")
    limits: Limits = Field(default=Limits(), title="Limits", description="What is too much.")

    @model_validator(mode="after")
    def _slow_needs_few(self) -> ShopConfig:
        if self.mode == "slow" and self.count > 5:
            raise ValueError("slow mode takes a count of at most 5")
        return self


class ShopInput(ToolInput):
    item: str = Field(min_length=1, description=f"What to buy. {HOSTILE}")
    amount: int = Field(default=1, ge=1, description="How many.")
    wrap: bool = Field(default=False, description="As a present.")
    colour: Literal["red", "blue"] | None = Field(default=None, description="If it matters.")
    tags: list[str] = Field(default_factory=list, description="Marks.")
    headers: dict[str, str] = Field(default_factory=dict, description="Sent along.")
    body: str | dict[str, Any] | None = Field(default=None, description="A text or an object.")


class Shop(ToolExecutor[ShopConfig, ShopInput]):
    """Gives back what it was sent; refuses "nothing", asks before "gold", and has a bug for "bug"."""

    Config = ShopConfig
    Input = ShopInput
    title = "Shop"
    summary = "Buys things."
    seen_in_transaction: bool | None = None

    def input_schema(self, config: ShopConfig) -> Mapping[str, Any]:
        schema = ShopInput.model_json_schema()
        schema["properties"]["amount"]["maximum"] = config.count
        return schema

    def describe(self, config: ShopConfig) -> str:
        return f"At most {config.count} pieces."

    def permissions(self, tool_input: ShopInput, config: ShopConfig, context: ToolContext) -> list[Verdict]:
        return [Verdict(Action.ASK, "Gold is dear.")] if tool_input.item == "gold" else []

    async def execute(self, tool_input: ShopInput, config: ShopConfig, context: ToolContext) -> ToolResult:
        Shop.seen_in_transaction = connection.in_atomic_block
        if tool_input.item == "nothing":
            raise RefusedError("Nothing cannot be bought.", reason="nothing_there")
        if tool_input.item == "bug":
            raise ZeroDivisionError
        data = {**tool_input.model_dump(), "pid": os.getpid()}
        return ToolResult.ok(data, f"Bought {tool_input.item}. {HOSTILE}", {"price": 3, "tag": HOSTILE})


class Empty(ToolConfig):
    """Nothing to decide."""


class Mute(ToolExecutor[Empty, Empty]):  # type: ignore[type-var]
    """Fails as soon as it is asked about itself."""

    Config = Empty
    Input = Empty
    title = "Mute"
    summary = "Cannot describe itself."

    def describe(self, config: Empty) -> str:
        raise ZeroDivisionError

    async def execute(self, tool_input: Any, config: Empty, context: ToolContext) -> ToolResult:
        return ToolResult.ok()


TYPES = {"shop": "tests.fakes.admin_types.Shop", "mute": "tests.fakes.admin_types.Mute"}

"""A tool type whose configuration has secrets in every place where one can stand."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from agent_tools.contract.context import ToolContext
from agent_tools.contract.executor import ToolConfig, ToolExecutor, ToolInput
from agent_tools.contract.result import ToolResult


class Account(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = ""
    password: SecretStr | None = None


class VaultConfig(ToolConfig):
    token: SecretStr | None = None
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    account: Account = Account()
    accounts: list[Account] = Field(default_factory=list)
    size: int = Field(default=10, ge=1, le=100)
    words: tuple[str, ...] = ("one",)


class VaultInput(ToolInput):
    text: str = ""


class Vault(ToolExecutor[VaultConfig, VaultInput]):
    """Tells how many secrets it was given."""

    Config = VaultConfig
    Input = VaultInput
    title = "Vault"
    summary = "For trying configurations with secrets."

    async def execute(self, tool_input: VaultInput, config: VaultConfig, context: ToolContext) -> ToolResult:
        return ToolResult.ok(len(config.headers))


LINES = {"vault": "tests.fakes.config_types.Vault"}
